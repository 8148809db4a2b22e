// What the legacy NULL stream makes wait for what. An op of a blocking stream waits for the NULL-stream op
// issued last before it; an op of the NULL stream waits for everything issued before it in blocking streams;
// non-blocking streams take no part (CUDA Programming Guide, "Legacy default stream").
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

struct NullHold {
    Ns until = std::numeric_limits<Ns>::min(); ///< nothing to wait for
    ActivityIndex behind = kNoActivity;        ///< what it waits for
};

/// By number of device work, what the NULL stream holds it for; empty where no NULL stream has work and the
/// schedule records no event on it. Goes through the ops in the order the host issued them: planned op, else
/// begin of the API call, else correlation, else begin. Events on the NULL stream leave no activity; they are
/// known from the schedule. Needs Facts::apiOf(). @throws Error only when cancelled
Column<NullHold> nullHolds(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
