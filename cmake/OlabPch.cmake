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

set(OLAB_PCH_json ${OLAB_PCH_std} <nlohmann/json.hpp>)
set(OLAB_PCH_LINKS_json nlohmann_json::nlohmann_json)

# A set fits where the code is addressed in the same way: libraries and our programs are -fPIC, tests without Qt -fPIE.
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
endfunction()
