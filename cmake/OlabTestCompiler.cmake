# What only tests run is compiled by clang where that is here beside GCC: without optimisation it takes half the time for GoogleTest's
# templates, two minutes of a clean ./test.sh. What they test stays what GCC makes of it for the users; both follow one ABI. Not with
# sanitizers, whose runtime belongs to the compiler, not for another machine, and not where the program itself is compiled by another than GCC.
set(OLAB_TEST_COMPILER AUTO CACHE STRING "Compiler of the tests' own code: AUTO (clang, where it is here and reads GoogleTest), OFF")
set_property(CACHE OLAB_TEST_COMPILER PROPERTY STRINGS AUTO OFF)

set(OLAB_TEST_LAUNCHER "")
if(OLAB_TEST_COMPILER STREQUAL "AUTO" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT OLAB_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    find_program(OLAB_CLANG clang++)
    mark_as_advanced(OLAB_CLANG)
    if(OLAB_CLANG)
        set(probe "${CMAKE_CURRENT_BINARY_DIR}/probe.cpp")
        file(CONFIGURE OUTPUT "${probe}" CONTENT "#include <algorithm>\n#include <gmock/gmock.h>\n#include <ranges>\n#include <span>\n")
        execute_process(COMMAND "${OLAB_CLANG}" -std=c++20 -fsyntax-only "${probe}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        if(NOT failed)
            set(OLAB_TEST_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/compile_with.sh;${OLAB_CLANG};${CMAKE_CXX_COMPILER_LAUNCHER}")
            list(REMOVE_ITEM OLAB_TEST_LAUNCHER "")
        endif()
    endif()
endif()

function(olab_compile_as_test) # TARGET...
    if(OLAB_TEST_LAUNCHER)
        set_target_properties(${ARGN} PROPERTIES CXX_COMPILER_LAUNCHER "${OLAB_TEST_LAUNCHER}")
    endif()
endfunction()
