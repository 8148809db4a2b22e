# Precompiled headers: what most sources of a kind read first, parsed once for all of them instead of once for each.
#
# olab_reuse_pch(TARGET KIND) gives a target one of these sets. Each set is compiled once, in a target olab_pch_<kind>, and
# reused wherever the flags agree. Sources include what they use all the same: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds the
# same programs, and the check of the public headers compiles each without any. Only headers of others belong in a set (the
# standard library, Qt, GoogleTest), few and widely used ones: a large set costs every source more than it saves.
set(OLAB_PCH_std <algorithm> <array> <chrono> <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <span> <stop_token>
    <string> <string_view> <thread> <utility> <vector>)
set(OLAB_PCH_test ${OLAB_PCH_std} <gmock/gmock.h> <gtest/gtest.h>)
set(OLAB_PCH_widgets ${OLAB_PCH_std} <QEvent> <QHash> <QLabel> <QLayout> <QList> <QPainter> <QString> <QStringList> <QTimer> <QVariant>
    <QWidget>)
set(OLAB_PCH_widgets_test ${OLAB_PCH_widgets} <gtest/gtest.h>)

set(OLAB_PCH_LINKS_test GTest::gmock GTest::gtest)
set(OLAB_PCH_LINKS_widgets Qt6::Widgets)
set(OLAB_PCH_LINKS_widgets_test GTest::gtest Qt6::Widgets Qt6::Test)

# What waits for a person, a file or a process gains nothing from -O3: -Og compiles it in two thirds of the time. What is
# hot there all the same says so with olab_hot(MODULE SOURCES...).
set(OLAB_CALM_OPTIONS $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-Og>)
set(OLAB_CALM_KINDS calm widgets)
set(OLAB_PCH_calm ${OLAB_PCH_std} <nlohmann/json.hpp>)
set(OLAB_PCH_LINKS_calm nlohmann_json::nlohmann_json)

# A set fits where the code is addressed in the same way: libraries and our programs are -fPIC, tests without Qt -fPIE.
set(OLAB_PCH_OPTIONS_calm ${OLAB_CALM_OPTIONS})
set(OLAB_PCH_OPTIONS_widgets ${OLAB_CALM_OPTIONS})
set(OLAB_PCH_OPTIONS_test -fPIE)

# The target of a set: an empty source, compiled with the flags that all of ours have, and OPTIONS.
function(olab_pch kind)
    if(TARGET olab_pch_${kind})
        return()
    endif()
    add_library(olab_pch_${kind} OBJECT ${PROJECT_SOURCE_DIR}/cmake/pch/empty.cpp)
    target_link_libraries(olab_pch_${kind} PRIVATE ${OLAB_PCH_LINKS_${kind}} olab_flags)
    target_compile_options(olab_pch_${kind} PRIVATE ${OLAB_PCH_OPTIONS_${kind}} ${ARGN})
    target_precompile_headers(olab_pch_${kind} PRIVATE ${OLAB_PCH_${kind}})
endfunction()

function(olab_reuse_pch target kind)
    if(NOT kind)
        set(kind std)
    endif()
    olab_pch(${kind} ${ARGN})
    target_precompile_headers(${target} REUSE_FROM olab_pch_${kind})
    if(kind IN_LIST OLAB_CALM_KINDS)
        target_compile_options(${target} PRIVATE ${OLAB_CALM_OPTIONS})
    endif()
endfunction()

# Sources of a calm module that are compiled with -O3, as all are that say nothing: apart, as objects that the module takes in,
# since precompiled headers and unity builds want one and the same optimisation.
function(olab_hot name) # SOURCES...
    set(target olab_${name}_hot)
    get_target_property(calm olab_${name} SOURCES)
    list(REMOVE_ITEM calm ${ARGN})
    set_property(TARGET olab_${name} PROPERTY SOURCES ${calm} $<TARGET_OBJECTS:${target}>)
    add_library(${target} OBJECT ${ARGN})
    get_target_property(links olab_${name} LINK_LIBRARIES)
    target_link_libraries(${target} PRIVATE ${links})
    target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:olab_${name},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:olab_${name},COMPILE_DEFINITIONS>)
    olab_reuse_pch(${target} std)
    olab_unity(${target})
endfunction()
