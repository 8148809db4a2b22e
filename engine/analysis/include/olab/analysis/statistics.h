// Statistics by name: how often something ran and how long it took, how much of its device work ran beside
// other work, and how long that work waited, and why. Of device work by name, of CUDA calls, of named ranges
// and of operators of a framework; of the whole recording or of a part of it. Plain data and one pure
// function; times are ns. Any thread.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/analysis/steady_state.h>
#include <olab/trace/run_control.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::analysis {

/// What has a row each. Each is a row of statisticsGroups().
enum class StatisticsGroup : std::uint8_t {
    Work,     ///< all device work: kernels by name, copies and memsets by memory
    Kernel,   ///< by demangled name
    Copy,     ///< copies by direction and kinds of memory, memsets
    Operator, ///< ranges that a framework made of its operators: "aten::add"
    Range,    ///< all other ranges that the program named
    Call,     ///< of the CUDA API
};

struct StatisticsGroupRow {
    StatisticsGroup group{};
    std::string_view id;    ///< "kernel": for the command line and files
    std::string_view label; ///< "kernels": for people
    std::string_view one;   ///< "kernel": the head of the column of names
};
std::span<const StatisticsGroupRow> statisticsGroups(); ///< in the order of StatisticsGroup
const StatisticsGroupRow& statisticsGroupRow(StatisticsGroup group);
/// By its id.
std::optional<StatisticsGroup> statisticsGroupOf(std::string_view id);

/// The work of devices that belongs to a name: of device work that itself, of a call what it issued, of a
/// range or an operator what the calls within it issued on its thread, whenever that ran. In a part of a
/// recording each counts with the part that lies in it.
struct NamedWork {
    std::uint64_t count = 0;
    Ns time = 0;            ///< the sum of the durations: work that runs at once counts more than once
    Ns overlapped = 0;      ///< of it: work of another class ran on the same device
    Ns waited = 0;          ///< the waits that something held up (ExplainedWait::isHeld())
    LossCause cause{};      ///< which owns most of that; None: nothing waited
    Ns byCause = 0;         ///< what it owns
    std::int64_t bytes = 0; ///< that copies and memsets moved; of a part of one in proportion
    Ns moving = 0;          ///< the time of that work
    /// Bytes per ns, which are GB/s; nothing where no bytes were moved in a known time.
    std::optional<double> rate() const;
    double overlappedShare() const; ///< of `time`
};

struct StatisticsRow {
    std::string name;  ///< in full, demangled: "void ns::k<float>(int)", "H2D pinned -> device", "aten::add"
    std::string label; ///< the same, short: "k<float>"; several names may have the same
    ActivityClass cls{};
    std::uint64_t count = 0; ///< of those that touch the part
    std::uint64_t cut = 0;   ///< of them, those that reach over an end of it
    Ns total = 0;            ///< the sum of their durations, of those that are cut what lies in the part
    /// Of whole durations: a cut would invent some that nothing ever had. `mean` and `median` are rounded
    /// down to ns; `spread` is the standard deviation of a sample (n - 1), 0 where there is one.
    Ns mean = 0, median = 0, shortest = 0, longest = 0, spread = 0;
    NamedWork work;
    std::uint64_t inIterations = 0; ///< how many begin in Statistics::iterations
    Ns totalInIterations = 0;       ///< the parts that lie in them
};

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

/// By kind of activity: those that count by the same name as this one, in the statistics of its like; of
/// classes that have none those of the same class and name. O(kinds).
std::vector<bool> kindsLike(const Trace& trace, std::uint32_t kind);

/// O(n log n). @throws Error only when cancelled
Statistics statisticsOf(const TraceFacts& facts, const ExplainedWaits& waits, const StatisticsWish& wish,
                        const RunControl& control = {});

} // namespace olab::analysis
