// Which API call issued what.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Per row the API call of device work and host functions, or kNoActivity; empty without API calls. By
/// correlation, else by planned op; of several records with one correlation the first is the outermost call.
/// @throws Error only when cancelled
NearColumn findCalls(const Facts& facts, const RunControl& control);

/// All rows that have a call, by that call.
NearColumn sortedByCall(const NearColumn& apiOf);

/// Per API call the earlier one of its thread that kept the host from making it; kNoActivity: none did. By
/// row; empty without API calls.
Column<ActivityIndex> callsThatDelayed(const Facts& facts);

} // namespace olab::analysis
