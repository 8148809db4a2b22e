// Calls that waited for room in a hardware queue: from records alone; used by the rule and the account. Times
// are ns. Immutable; any thread.
#pragma once

#include <olab/analysis/facts.h>

#include <vector>

namespace olab::analysis {

struct FullQueue {
    ActivityIndex call = kNoActivity;
    std::uint64_t held = 0; ///< operations issued but not begun when the call began
};

/// Whether this is CUPTI's record that a call waits for room in a queue.
bool saysBufferFull(const Trace& trace, ActivityIndex row);

/// Issuing calls that took far longer than others of their name (or waited, according to CUPTI), ended before
/// the work they issued, and were made while about as many operations as a queue holds had not begun; some
/// began during the call, which made room. In begin order. One pass over the calls, only if some took that
/// long.
std::vector<FullQueue> fullQueueCalls(const TraceFacts& facts);

/// A queue of an H200 holds 1022 operations; a quarter of that if CUDA_SCALE_LAUNCH_QUEUES says so.
inline constexpr std::uint64_t kLeastQueue = 250;

} // namespace olab::analysis
