# What is linked with one of these targets, and what links that, is watched by the sanitizer: address (with leaks and undefined
# behaviour) and thread. JFS_SANITIZERS has those that work here.
include(CheckCSourceRuns)

function(add_sanitizer name)
  add_library(${name} INTERFACE)
  target_compile_options(${name} INTERFACE ${ARGN})
  target_link_options(${name} INTERFACE ${ARGN})
  set(CMAKE_REQUIRED_FLAGS ${ARGN})
  list(JOIN CMAKE_REQUIRED_FLAGS " " CMAKE_REQUIRED_FLAGS)
  check_c_source_runs("int main(void) { return 0; }" HAVE_${name}_SANITIZER) # libraries of its own, and a fitting kernel
endfunction()

add_sanitizer(address -fsanitize=address,undefined -fno-sanitize-recover=all)
# It does not know fences, which matter between processes only, and those it does not watch either.
add_sanitizer(thread -fsanitize=thread -Wno-tsan)

# For where there is none: a test that is skipped, and says why.
function(add_skipped_test name reason)
  add_test(NAME ${name} COMMAND sh -c "echo '${reason}'; exit 77")
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
