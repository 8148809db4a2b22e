// Which activities a table shows, and in which order. Looks at each distinct name, queue and class once, so a
// recording of millions of activities is filtered in one pass and sorted by numbers.
#pragma once

#include <olab/ui/shown.h>

#include <QString>

#include <vector>

namespace olab {

/// Every word must stand in the class, name, queue, engine or cause of a row, in any case; "#7" is a number.
std::vector<ActivityIndex> filteredActivities(const Shown& shown, const QString& filter);
/// Stable; `column` is an ActivitiesModel::Column.
void sortActivities(const Shown& shown, std::vector<ActivityIndex>& rows, int column, bool descending);

} // namespace olab
