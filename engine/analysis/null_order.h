// What the legacy NULL stream makes wait for what. An op of a blocking stream waits for the NULL-stream op
// issued last before it; an op of the NULL stream waits for everything issued before it in blocking streams;
// non-blocking streams take no part (CUDA Programming Guide, "Legacy default stream").
#pragma once

#include <olab/analysis/facts.h>

#include <functional>

namespace olab {

struct NullHold {
    Ns until = std::numeric_limits<Ns>::min(); ///< nothing to wait for
    ActivityIndex behind = kNoActivity;        ///< what it waits for
};

/// Calls `endOf` for each device activity in the order the host issued them, with what the NULL stream holds
/// it for; what it returns is the activity's end for those that follow. Issue order: planned op, else begin
/// of the API call, else correlation, else begin. Events on the NULL stream leave no activity; they are known
/// from the schedule. Where no NULL stream has work the order is that of begin, which is issue order within
/// each stream.
void walkIssueOrder(const Facts& facts, const std::function<Ns(ActivityIndex, const NullHold&)>& endOf);

/// Whether a NULL stream has work, or the schedule records events on it.
bool usesNullStream(const Facts& facts);

} // namespace olab
