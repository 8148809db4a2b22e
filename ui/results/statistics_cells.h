// What a cell of the statistics says, and by which number its column is sorted.
#pragma once

#include <olab/analysis/statistics.h>

#include <QString>

#include <optional>

namespace olab::ui {

/// `column` is a StatisticsModel::Column. Empty: nothing is known or there is nothing.
QString statisticsCell(const analysis::Statistics& of, const analysis::StatisticsRow& row, int column);
/// Every nanosecond of a time, the title of a cause; empty: the cell says all.
QString statisticsTip(const analysis::Statistics& of, const analysis::StatisticsRow& row, int column);
/// By which the column is sorted, but those of texts; a cell without text is below every value.
double statisticsKey(const analysis::Statistics& of, const analysis::StatisticsRow& row, int column);

} // namespace olab::ui
