// The rows of statistics by name (statistics.h): what has one, and what it says. Plain data; times are ns.
// Any thread.
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/trace/trace.h>

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

/// By kind of activity: those that count by the same name as this one, in the statistics of its like; of
/// classes that have none those of the same class and name. O(kinds).
std::vector<bool> kindsLike(const Trace& trace, std::uint32_t kind);

} // namespace olab::analysis
