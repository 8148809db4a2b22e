// Statistics by name: how often something ran and how long it took, how much of its device work ran beside
// other work, and how long that work waited, and why. Of device work by name, of CUDA calls, of named ranges
// and of operators of a framework; of the whole recording or of a part of it. Plain data and one pure
// function; times are ns. Any thread.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/analysis/statistics_rows.h>
#include <olab/analysis/steady_state.h>
#include <olab/trace/run_control.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::analysis {

struct StatisticsWish {
    StatisticsGroup by = StatisticsGroup::Work;
    std::optional<Interval> part{};      ///< in times of the trace; nothing: the whole recording
    const SteadyState* steady = nullptr; ///< null, or without iterations: nothing is said per iteration
    /// A row for each range, also where the names of several differ only in their last number; else these
    /// are one row: "ProfilerStep#*".
    bool eachNumber = false;
};

struct Statistics {
    StatisticsGroup by = StatisticsGroup::Work;
    std::optional<Interval> part;
    Ns deviceTime = 0; ///< the durations of all work of devices in the part; shares are of it
    /// Calls were recorded, or the names are those of device work; else nothing is known of NamedWork.
    bool knowsWork = false;
    std::uint64_t iterations = 0;    ///< of the repetition, those that lie in the part
    Interval iterationsTime;         ///< from the first of them to the end of the last
    std::vector<StatisticsRow> rows; ///< that ran in the part; the largest total first
    /// By kind of activity (Trace::kindOf) the row that it counts in; kNoNumber: none.
    std::vector<std::uint32_t> rowOfKind;

    double shareOf(const StatisticsRow& row) const;           ///< of its device work in all of it
    double countPerIteration(const StatisticsRow& row) const; ///< 0 without iterations
    Ns totalPerIteration(const StatisticsRow& row) const;     ///< rounded down
    /// All activities of the trace it was made of that count in the row, in begin order. O(n).
    std::vector<ActivityIndex> activitiesOf(const Trace& trace, std::size_t row) const;
};

/// A column by which rows are sorted.
struct StatisticsColumn {
    std::string_view id; ///< "total": for the command line
    /// What counts; the largest first. Null: by name.
    std::int64_t (*worth)(const StatisticsRow& row) = nullptr;
};
std::span<const StatisticsColumn> statisticsColumns();
/// Sorts the rows; `rowOfKind` follows. Those that are equal keep their order.
void sortRows(Statistics& statistics, const StatisticsColumn& column);

/// O(n log n). @throws Error only when cancelled
Statistics statisticsOf(const TraceFacts& facts, const ExplainedWaits& waits, const StatisticsWish& wish,
                        const RunControl& control = {});

} // namespace olab::analysis
