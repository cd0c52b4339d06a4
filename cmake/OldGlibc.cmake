# for_old_glibc(TARGET): the library that comes out runs with every glibc from 2.17 on, however new the one is that it is
# linked with. What makes the names old is in old_glibc.h. Up to glibc 2.33 they are in libraries of their own, which later
# ones still have, as empty ones.
include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h HAVE_GLIBC)

function(for_old_glibc target)
  if(HAVE_GLIBC)
    target_compile_options(${target} PRIVATE -include ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/old_glibc.h)
    target_link_options(${target} PRIVATE LINKER:--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 LINKER:--pop-state)
  endif()
endfunction()
