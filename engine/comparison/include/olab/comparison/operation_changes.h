// The fate of each operation between two runs: same, shorter, longer, moved, gone, new. Operations are device
// work: kernels, copies, memsets, but not migrations of unified memory, which the driver makes. Matching:
// streams are paired by the order of their first work on each device; within a pair, operations by class and
// name, along the longest common subsequence; the rest is paired across streams. Pure functions, any thread;
// times in nanoseconds.
#pragma once

#include <olab/trace/trace.h>
#include <olab/trace/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace olab::comparison {

/// The position of a run on the common axis.
struct AlignedSpan {
    Ns zero = 0;   ///< the time of its trace at the zero of the axis
    Interval span; ///< the compared part: operations that begin in it
};
AlignedSpan alignedAtFirstWork(const Trace& trace);
/// With all of its device work; `moment`: a bookmark.
AlignedSpan alignedAtMoment(const Trace& trace, Ns moment);

enum class OperationFate : std::uint8_t { Same, Shorter, Longer, Moved, Gone, New };
inline constexpr std::size_t kOperationFates = 6;

/// Durations that differ by less than both of these, a share and ns, count as equal.
inline constexpr double kSameDuration = 0.05;
inline constexpr Ns kSameNs = 1000;
/// Operations whose begins differ by less than this share of the compared time did not move.
inline constexpr double kSamePlace = 0.01;

struct OperationChange {
    OperationFate fate{};
    std::optional<ActivityIndex> before, after;
    Ns longer = 0; ///< difference of durations, after - before; for gone and new ones the whole duration
    Ns later = 0;  ///< later begin on the common axis; 0 unless in both
    bool otherStream = false;
    Ns idleLonger = 0; ///< additional idle time of its stream before it; 0 in another stream
};

struct OperationChanges {
    std::vector<OperationChange> all; ///< by time on the common axis
    struct Sum {
        std::uint64_t count = 0;
        Ns longer = 0;
    };
    std::array<Sum, kOperationFates> sums; ///< by fate
    const Sum& of(OperationFate fate) const { return sums[static_cast<std::size_t>(fate)]; }
};
OperationChanges operationChanges(const Trace& before, const AlignedSpan& placeBefore, const Trace& after,
                                  const AlignedSpan& placeAfter);

/// "12 operations longer (+31.4 ms), 3 shorter (-210 us), 4 moved, 2 gone, 1 new; 80 the same."
std::string operationChangesText(const OperationChanges& changes);

} // namespace olab::comparison
