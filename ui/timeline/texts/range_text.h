// The numbers of a range (range_numbers.h) as people read, copy and hear them.
#pragma once

#include "timeline/texts/hover_card.h"

#include <olab/view/range_numbers.h>
#include <olab/view/selection.h>

namespace olab::ui {

/// As (name, value) in reading order; lanes with nothing in the range are left out.
FieldList rangeFields(const view::ViewData& shown, const view::RangeNumbers& numbers);
/// The same as lines of text.
QString rangeText(const view::ViewData& shown, const view::RangeNumbers& numbers);
/// Every number in ns, separated by tabs, for a spreadsheet.
QString rangeTable(const view::ViewData& shown, const view::RangeNumbers& numbers);
/// "none 12 %, one 60 %, two 20 %, three or more 8 %".
QString atOnceText(const view::DeviceNumbers& numbers, Ns length);
/// The numbers of the range, or what else is picked, in words or as a table.
QString pickedText(const view::ViewData& shown, const view::Selection& selection, bool table);

} // namespace olab::ui
