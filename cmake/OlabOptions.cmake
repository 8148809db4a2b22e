# What a person may choose when configuring, and the flags every target of ours gets.
set(OLAB_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (if a toolkit of 13.0 or later is found), ON, OFF")
set(OLAB_UI AUTO CACHE STRING "Build the window: AUTO (if Qt 6 with Charts is found), ON, OFF")
option(OLAB_TESTS "Build the tests" ON)
option(OLAB_WERROR "Turn warnings into errors (CI does)" OFF)
set(OLAB_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: address,undefined or thread")
set_property(CACHE OLAB_CUDA PROPERTY STRINGS AUTO ON OFF)
set_property(CACHE OLAB_UI PROPERTY STRINGS AUTO ON OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

include(GNUInstallDirs)

add_library(olab_flags INTERFACE)
target_compile_options(olab_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
    # GCC 12 warns of std::string's own operator+ (GCC bug 105651)
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<AND:$<BOOL:${OLAB_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
# GCC looks for memory to free again and again, a tenth of its time; with half a gigabyte it has no need to.
target_compile_options(olab_flags INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param ggc-min-heapsize=524288>)
# Lets ccache, which preprocesses, keep what was compiled with a precompiled header.
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(olab_flags INTERFACE
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>
        # the same GCC bug, which inlines otherwise with a precompiled header and is then told by other names
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overflow>
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds>)
endif()
if(OLAB_SANITIZE)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${OLAB_SANITIZE}> $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                        $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # GCC 12 says so of <regex> when it is instrumented
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
    endif()
    add_link_options(-fsanitize=${OLAB_SANITIZE})
endif()

if(OLAB_UI STREQUAL "OFF")
    set(OLAB_HAVE_UI FALSE)
else()
    if(OLAB_UI STREQUAL "ON")
        find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Charts Svg)
    else()
        find_package(Qt6 6.4 QUIET COMPONENTS Widgets Charts Svg)
    endif()
    set(OLAB_HAVE_UI ${Qt6_FOUND})
    if(NOT Qt6_FOUND)
        message(STATUS "Qt 6 with Charts and Svg was not found: building the command line only (OLAB_UI=ON makes this an error)")
    endif()
endif()
