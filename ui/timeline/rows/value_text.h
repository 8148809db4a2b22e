// What is said of lanes that show a value over time: their scale, the value in a column or a range. Pure
// functions.
#pragma once

#include "timeline/rows/row_layout.h"

namespace olab::ui {

/// "0 to 54.9 GB/s": what the foot and the top of the row stand for, with a star where something is left out
/// (leftOutText). Says why where there is none.
QString scaleText(const Row& row);
/// "12.3 GB/s": what it is on average over `range`. Empty where it is not known.
QString averageText(const Row& row, Interval range);
/// "H2D throughput: 12.3 GB/s on average over 230 µs here (2.7 MiB), 54.9 GB/s at most", and what is left
/// out.
QString valueText(const Row& row, Interval here);
/// "2 copies are not in it: their size or time was not recorded." Empty: all are.
QString leftOutText(const Row& row);
/// "at most 54.9 GB/s, 31.0 GB/s on average", for somebody who hears it.
QString spokenValue(const Row& row, Interval over);

} // namespace olab::ui
