// The ranges that a program or its framework named, as they lie within each other. Any thread.
#pragma once

#include <olab/trace/trace.h>

#include <functional>
#include <map>
#include <vector>

namespace olab::analysis {

/// Rows of NVTX ranges that are wanted, by thread, each in the order of begins: an outer one before those
/// within it. O(n log n).
std::map<QueueId, std::vector<ActivityIndex>>
rangesByThread(const Trace& trace, const std::function<bool(ActivityIndex)>& isWanted);

} // namespace olab::analysis
