// What became of each operation of one run in another: the same, shorter, longer, moved, gone, new.
// Operations are device work: kernels, copies, memsets; migrations of unified memory are the driver's doing
// and left out. Which is which: streams are paired by the order of their first work on each device, and
// within a pair the operations by what they are (class and name), in the longest order that both have in
// common; what is left is paired across streams. Pure functions, any thread; times in nanoseconds.
#pragma once

#include <olab/trace/trace.h>
#include <olab/trace/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace olab::comparison {

/// Where a run lies on the axis that both share.
struct AlignedSpan {
    Ns zero = 0;   ///< the time of its trace that is the zero of the axis
    Interval span; ///< what is compared of it: what begins in it
};
AlignedSpan alignedAtFirstWork(const Trace& trace);
/// All of its device work; `moment`: a bookmark.
AlignedSpan alignedAtMoment(const Trace& trace, Ns moment);

enum class OperationFate : std::uint8_t { Same, Shorter, Longer, Moved, Gone, New };
inline constexpr std::size_t kOperationFates = 6;

/// Durations that lie closer together than both of these are the same.
inline constexpr double kSameDuration = 0.05;
inline constexpr Ns kSameNs = 1000;
/// Operations that begin closer together than this share of what is compared did not move.
inline constexpr double kSamePlace = 0.01;

struct OperationChange {
    OperationFate fate{};
    std::optional<ActivityIndex> before, after;
    Ns longer = 0; ///< how much more time it takes after; of gone and new ones its whole time
    Ns later = 0;  ///< how much later it begins, by the shared axis; 0 unless it is in both
    bool otherStream = false;
    Ns idleLonger = 0; ///< how much more time its stream has nothing to do before it; 0 in another stream
};

struct OperationChanges {
    std::vector<OperationChange> all; ///< by the time on the shared axis
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
