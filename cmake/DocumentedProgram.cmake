# add_documented_program(NAME PAGE LIBRARY OUTPUT [BEFORE shell-command]): a test that the first whole program in C on a page is
# compiled, linked with the library and prints this. It is skipped if it exits with 77.
function(add_documented_program name page library output)
    cmake_parse_arguments(PARSE_ARGV 4 arg "" "BEFORE" "")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
    file(READ ${page} text)
    string(REGEX MATCH "\n```c\n([^`]*#include[^`]*)\n```\n" whole "${text}")
    file(CONFIGURE OUTPUT ${name}.c CONTENT "${CMAKE_MATCH_1}\n" @ONLY)
    add_executable(${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(${name} PRIVATE ${library})
    if(NOT arg_BEFORE)
        set(arg_BEFORE :)
    endif()
    add_test(NAME ${name} COMMAND sh -c
        "${arg_BEFORE} && out=$($<TARGET_FILE:${name}>) || exit; test \"$out\" = '${output}' || { echo \"$out\"; exit 1; }")
    set_tests_properties(${name} PROPERTIES TIMEOUT 60 SKIP_RETURN_CODE 77)
endfunction()
