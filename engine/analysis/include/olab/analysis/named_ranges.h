// The ranges that a program or its framework named, with their nesting. Any thread.
#pragma once

#include <olab/trace/trace.h>

#include <functional>
#include <map>
#include <vector>

namespace olab::analysis {

/// The requested rows of NVTX ranges, by thread, in order of begin: an outer range before its inner ones. O(n
/// log n).
std::map<QueueId, std::vector<ActivityIndex>>
rangesByThread(const Trace& trace, const std::function<bool(ActivityIndex)>& isWanted);

} // namespace olab::analysis
