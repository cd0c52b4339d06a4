# How the sources of a library may depend on each other.
include_guard(DIRECTORY)

set(STRUCTURE_TESTS ${CMAKE_CURRENT_LIST_DIR}/../native/common/test)

# add_structure_tests(NAME TARGET FOLDER [LAYER:LAYER...]): the tests NAME.includes and NAME.calls. The sources of the target are
# in the folder. "api:core" lets the files in the folder api include those in core.
function(add_structure_tests name target folder)
    add_test(NAME ${name}.includes COMMAND ${STRUCTURE_TESTS}/includes.sh ${folder} ${ARGN})
    add_test(NAME ${name}.calls COMMAND ${STRUCTURE_TESTS}/calls.sh $<TARGET_OBJECTS:${target}> COMMAND_EXPAND_LISTS)
    set_tests_properties(${name}.includes ${name}.calls PROPERTIES TIMEOUT 60 ENVIRONMENT NM=${CMAKE_NM})
endfunction()
