# How all C of this project is compiled, and that it is tested. A part that is built by itself includes this too; under the
# project of the whole that is a second time, and has no effect.
include_guard(DIRECTORY)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
add_compile_options(-Wall -Wextra)
# Two builds of one source in different folders are equal, with the id that the linker makes of what it links (./jfs reproduce).
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)

include(${CMAKE_CURRENT_LIST_DIR}/Sanitizers.cmake)
enable_testing()
