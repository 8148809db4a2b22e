// The rows of statistics by name (statistics.h): what they are about and what they contain. Plain data; times
// are ns. Any thread.
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/trace/trace.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::analysis {

/// What the rows are about. Each value is a row of statisticsGroups().
enum class StatisticsGroup : std::uint8_t {
    Work,     ///< all device work: kernels by name, copies and memsets by memory
    Kernel,   ///< by demangled name
    Copy,     ///< copies by direction and kinds of memory, memsets
    Operator, ///< ranges that a framework made for its operators: "aten::add"
    Range,    ///< all other ranges that the program named
    Call,     ///< of the CUDA API
};

struct StatisticsGroupRow {
    StatisticsGroup group{};
    std::string_view id;    ///< "kernel": for the command line and files
    std::string_view label; ///< "kernels": for people
    std::string_view one;   ///< "kernel": the head of the name column
};
std::span<const StatisticsGroupRow> statisticsGroups(); ///< in the order of StatisticsGroup
const StatisticsGroupRow& statisticsGroupRow(StatisticsGroup group);
/// By its id.
std::optional<StatisticsGroup> statisticsGroupOf(std::string_view id);

/// The device work that belongs to a name: for device work the work itself, for a call the work it issued,
/// for a range or an operator the work issued by calls within it on its thread, whenever that ran. In a part
/// of a recording, only the share of each work that lies in the part counts.
struct NamedWork {
    std::uint64_t count = 0;
    Ns time = 0;            ///< the sum of the durations: work that runs at once counts more than once
    Ns overlapped = 0;      ///< the part of it during which work of another class ran on the same device
    Ns waited = 0;          ///< the waits that something held up (ExplainedWait::isHeld())
    LossCause cause{};      ///< the cause that owns most of `waited`; None: nothing waited
    Ns byCause = 0;         ///< what `cause` owns
    std::int64_t bytes = 0; ///< moved by copies and memsets; for a cut activity in proportion
    Ns moving = 0;          ///< the time of those copies and memsets
    /// Bytes per ns, i.e. GB/s; nothing if no bytes were moved in a known time.
    std::optional<double> rate() const;
    double overlappedShare() const; ///< of `time`
};

struct StatisticsRow {
    std::string name;  ///< in full, demangled: "void ns::k<float>(int)", "H2D pinned -> device", "aten::add"
    std::string label; ///< the same, short: "k<float>"; several names may have the same
    ActivityClass cls{};
    std::uint64_t count = 0; ///< activities that touch the part
    std::uint64_t cut = 0;   ///< those of them that cross an end of the part
    Ns total = 0;            ///< the sum of their durations within the part
    /// From whole durations: cut ones never occurred. `mean` and `median` are rounded down to ns; `spread` is
    /// the standard deviation of a sample (n - 1), 0 for a single one.
    Ns mean = 0, median = 0, shortest = 0, longest = 0, spread = 0;
    NamedWork work;
    std::uint64_t inIterations = 0; ///< how many begin in Statistics::iterations
    Ns totalInIterations = 0;       ///< their time within iterations
};

/// The kinds of activity that count under the same name as this one, in the statistics of its group; for
/// classes without a group, the kinds of the same class and name. O(kinds).
std::vector<bool> kindsLike(const Trace& trace, std::uint32_t kind);

} // namespace olab::analysis
