// Statistics by name: how often something ran and for how long, how much of its device work overlapped other
// work, and how long that work waited and why. For device work by name, CUDA calls, named ranges and
// operators of a framework; over the whole recording or a part of it. Plain data and one pure function; times
// are ns. Any thread.
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
    const SteadyState* steady = nullptr; ///< null, or without iterations: no numbers per iteration
    /// A separate row for names that differ only in their last number; otherwise they share one row:
    /// "ProfilerStep#*".
    bool eachNumber = false;
};

struct Statistics {
    StatisticsGroup by = StatisticsGroup::Work;
    std::optional<Interval> part;
    Ns deviceTime = 0; ///< sum of all device work durations in the part; shares refer to it
    /// Calls were recorded, or the names are those of device work; otherwise NamedWork is unknown.
    bool knowsWork = false;
    std::uint64_t iterations = 0;    ///< iterations of the repetition within the part
    Interval iterationsTime;         ///< from the first of them to the end of the last
    std::vector<StatisticsRow> rows; ///< rows that ran in the part; the largest total first
    /// By kind of activity (Trace::kindOf): the row that it counts in; kNoNumber: none.
    std::vector<std::uint32_t> rowOfKind;

    double shareOf(const StatisticsRow& row) const; ///< share of the row's device work in `deviceTime`
    double countPerIteration(const StatisticsRow& row) const; ///< 0 without iterations
    Ns totalPerIteration(const StatisticsRow& row) const;     ///< rounded down
    /// All activities of the trace that count in the row, in begin order. O(n). `trace` must be the one
    /// analysed.
    std::vector<ActivityIndex> activitiesOf(const Trace& trace, std::size_t row) const;
};

/// A column that rows can be sorted by.
struct StatisticsColumn {
    std::string_view id; ///< "total": for the command line
    /// The sort key, the largest first. Null: by name.
    std::int64_t (*worth)(const StatisticsRow& row) = nullptr;
};
std::span<const StatisticsColumn> statisticsColumns();
/// Sorts the rows stably, and updates `rowOfKind`.
void sortRows(Statistics& statistics, const StatisticsColumn& column);

/// O(n log n). @throws Error only when cancelled
Statistics statisticsOf(const TraceFacts& facts, const ExplainedWaits& waits, const StatisticsWish& wish,
                        const RunControl& control = {});

} // namespace olab::analysis
