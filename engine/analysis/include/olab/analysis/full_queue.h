// Calls that waited for room in a hardware queue: from records alone, for the rule and for the account.
// Times are ns. Immutable; any thread.
#pragma once

#include <olab/analysis/facts.h>

#include <vector>

namespace olab::analysis {

struct FullQueue {
    ActivityIndex call = kNoActivity;
    std::uint64_t held = 0; ///< by the queues when the call began: issued and not begun
};

/// Whether this is CUPTI's record of a call that waits for room in a queue.
bool saysBufferFull(const Trace& trace, ActivityIndex row);

/// Calls that issue, took far longer than others of their name or waited by CUPTI's word, ended before what
/// they issued, and were made while about as many operations as a queue holds had not begun; some began
/// meanwhile, which made room. In begin order. A pass over the calls, and only where some took so long.
std::vector<FullQueue> fullQueueCalls(const TraceFacts& facts);

/// A queue of an H200 holds 1022 operations; a quarter of it where CUDA_SCALE_LAUNCH_QUEUES says so.
inline constexpr std::uint64_t kLeastQueue = 250;

} // namespace olab::analysis
