// Statistics by name as files: JSON ("olab-statistics", version 1) and CSV. Times are int64 ns; what is not
// known is null or empty, never 0. Any thread.
#pragma once

#include <olab/analysis/statistics.h>

#include <string>

namespace olab::io {

struct StatisticsContext {
    const Trace& trace;
    std::string file; ///< where it was read from; may be empty
};
/// Indented with two spaces.
std::string statisticsToJson(const analysis::Statistics& statistics, const StatisticsContext& context);
/// A line of names, then a line for each row.
std::string statisticsToCsv(const analysis::Statistics& statistics);

} // namespace olab::io
