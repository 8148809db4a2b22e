// Mean, median, extremes and spread of many durations.
#pragma once

#include <olab/analysis/statistics_rows.h>

namespace olab::analysis {

/// Sets mean, median, shortest, longest and spread of the row; changes the order of the durations.
void setSpread(StatisticsRow& row, std::span<Ns> durations);

} // namespace olab::analysis
