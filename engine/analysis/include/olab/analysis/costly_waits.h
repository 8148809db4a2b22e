// The longest waits, each with the call that issued the operation and the named ranges around that call:
// where to look first in a program. Pure functions; any thread.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/analysis/facts.h>

#include <cstddef>
#include <vector>

namespace olab::analysis {

/// The ranges of a thread that are open during all of `time`, the innermost first. O(n).
std::vector<ActivityIndex> rangesAround(const TraceFacts& facts, QueueId thread, Interval time);
/// For device work: the call that issued it, then the ranges around that call on its thread, the innermost
/// first; for an activity of a host thread: the ranges around it. O(n) if ranges were recorded.
std::vector<ActivityIndex> codeChain(const TraceFacts& facts, ActivityIndex activity);

struct CostlyWait {
    ExplainedWait wait;
    /// The wait's own part: since the end of the operation before it in its stream, or since the begin of
    /// that operation if it is the blocker. So no time of a stream is listed twice, and delays inherited from
    /// earlier operations are not listed.
    Interval own;
    ActivityIndex call = kNoActivity;  ///< the call that issued its op; kNoActivity: not recorded
    std::vector<ActivityIndex> ranges; ///< open around that call, the innermost first
};

inline constexpr std::size_t kCostlyWaits = 10;

/// The waits with a cause and the longest own part, the longest first. With an account only waits that it
/// owns, and none whose cause costs nothing, because waiting hidden behind other work does not matter. O(n);
/// if ranges were recorded, O(n) per wait listed.
std::vector<CostlyWait> costliestWaits(const TraceFacts& facts, std::shared_ptr<const Ledger> account,
                                       std::size_t most = kCostlyWaits);

} // namespace olab::analysis
