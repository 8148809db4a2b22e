// The numbers of a range (range_numbers.h) as people read, copy and hear them.
#pragma once

#include "timeline/texts/hover_card.h"

#include <olab/view/range_numbers.h>
#include <olab/view/selection.h>
#include <olab/view/view_data.h>

#include <QString>

namespace olab::ui {

// What is said of the wait before an op (ExplainedWait): who waited, how long, why, for whom.

/// "spin #7 waited 1.2 ms before it began: the NULL stream. Held by memset #5."
QString waitText(const view::ViewData& shown, const analysis::ExplainedWait& wait);
/// "memset #5"; empty: not known.
QString blockerText(const view::ViewData& shown, const analysis::ExplainedWait& wait);
/// Of an op that something held up, where it is known what; nothing else.
std::optional<analysis::ExplainedWait> blockedWaitOf(const view::ViewData& shown, ActivityIndex op);

/// As (name, value) in reading order; lanes with nothing in the range are left out.
FieldList rangeFields(const view::ViewData& shown, const view::RangeNumbers& numbers);
/// The same as lines of text.
QString rangeText(const view::ViewData& shown, const view::RangeNumbers& numbers);
/// Every number in ns, separated by tabs, for a spreadsheet.
QString rangeTable(const view::ViewData& shown, const view::RangeNumbers& numbers);
/// "none 12 %, one 60 %, two 20 %, three or more 8 %".
QString atOnceText(const view::DeviceNumbers& numbers, Ns length);
/// "#t=12.1ms..14ms&op=586": what an HTML page of this recording opens at, behind its address. Times count
/// from the first device work, to the nanosecond; an op with an h is of the host; of what is measured
/// "&range=". The page writes and reads the same (pictures/page/place.js).
QString placeLink(const view::ViewData& shown, const view::Selection& selection, Interval visible);
/// The numbers of the range, or what else is picked, in words or as a table.
QString pickedText(const view::ViewData& shown, const view::Selection& selection, bool table);

} // namespace olab::ui
