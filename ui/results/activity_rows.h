// In which order a table shows activities: by numbers, so that millions are sorted in little time.
#pragma once

#include <olab/view/view_data.h>

#include <QString>

#include <vector>

namespace olab::ui {

/// Stable; `column` is an ActivitiesModel::Column.
void sortActivities(const view::ViewData& shown, std::vector<ActivityIndex>& rows, int column,
                    bool descending);

} // namespace olab::ui
