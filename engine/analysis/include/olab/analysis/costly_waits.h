// The longest waits, each with the call that issued the operation and the named ranges around that
// call: where to look first in a program of somebody's. Pure functions; any thread.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/analysis/facts.h>

#include <cstddef>
#include <vector>

namespace olab::analysis {

/// The ranges of a thread that are open all the time, the innermost first. O(n).
std::vector<ActivityIndex> rangesAround(const TraceFacts& facts, QueueId thread, Interval time);
/// For device work the call that issued it, then the ranges that are open around that call on its thread, the
/// innermost first; for what a host thread did the ranges around it. O(n) where ranges were recorded.
std::vector<ActivityIndex> codeChain(const TraceFacts& facts, ActivityIndex activity);

struct CostlyWait {
    ExplainedWait wait;
    /// The part of it that is its own: since the operation before it in its stream ended, or since that began
    /// where that is what it waited for. So no time of a stream is listed twice, and a start that is late by
    /// all that went before it is not listed for that.
    Interval own;
    ActivityIndex call = kNoActivity;  ///< that issued its op; or not recorded
    std::vector<ActivityIndex> ranges; ///< open around that call, the innermost first
};

inline constexpr std::size_t kCostlyWaits = 10;

/// The waits with a cause whose own part is longest, the longest first. Where there is an account only those
/// that it owns, and none of a cause that costs nothing: what is hidden behind other work is not worth a
/// look. O(n); where ranges were recorded for each of them.
std::vector<CostlyWait> costliestWaits(const TraceFacts& facts, std::shared_ptr<const Ledger> account,
                                       std::size_t most = kCostlyWaits);

} // namespace olab::analysis
