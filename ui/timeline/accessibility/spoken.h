// What the timeline shows, in words for somebody who hears it: numbers without thin spaces, the most telling
// word first. Pure functions.
#pragma once

#include "timeline/rows/row_layout.h"

#include <olab/view/gaps.h>

#include <QString>

namespace olab::ui {

/// "copy H2D, GPU 0, 1204 operations, busy 96 %": of the whole run.
QString spokenRow(const view::ViewData& shown, const Row& row);
/// The same of what is seen: "in view 300 operations, busy 94 %".
QString spokenView(std::span<const view::Strip> strips, const Row& row, Interval seen);
/// "kernel spin #17, 412 µs, stream 14, starts at 1.20 ms, waited 80 µs".
QString spokenActivity(const view::ViewData& shown, ActivityIndex index);
/// "operation 3 of 200 in copy H2D"; empty when it is in another lane.
QString spokenPlace(const Lane& lane, ActivityIndex index);
QString spokenGap(const view::ViewData& shown, const view::Gap& gap);
QString spokenRange(const view::ViewData& shown, Interval range);
/// Which recording, what it is worth, and what came out: sentences.
QString spokenRecording(const view::ViewData& shown);

} // namespace olab::ui
