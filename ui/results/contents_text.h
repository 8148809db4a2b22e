// What a file says, in words: what was found in it, what was not, what can therefore not be judged, and what
// of it could not be used. Everything is the trace's and the report's. Pure function; any thread.
#pragma once

#include <olab/view/contents.h>

#include <QString>

#include <vector>

namespace olab::ui {

struct SaidRow {
    QString name, text;
};

struct SaidSection {
    QString title;
    std::vector<SaidRow> rows;
};

/// Sections without a row are left out.
std::vector<SaidSection> whatItSays(const recording::Recording& recording, const analysis::Report& report);

} // namespace olab::ui
