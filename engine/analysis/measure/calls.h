// Which API call issued what.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Per row of device work and host functions: its API call, or kNoActivity; empty without API calls. Matched
/// by correlation, else by planned op; if several calls have one correlation, the first is the outermost
/// call. @throws Error only when cancelled
NearColumn findCalls(const Facts& facts, const RunControl& control);

/// All rows that have a call, sorted by that call.
NearColumn sortedByCall(const NearColumn& apiOf);

/// Per row of an API call: the earlier call of its thread that kept the host from making it; kNoActivity:
/// none. Empty without API calls.
Column<ActivityIndex> callsThatDelayed(const Facts& facts);

} // namespace olab::analysis
