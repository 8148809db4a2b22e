// Makes RecordedNeeds, and finds the callbacks that the host waited for. Private to analysis.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Needs TraceFacts::apiOf() and issuedBy(). @throws Error only when cancelled
RecordedNeeds recordedNeeds(const TraceFacts& facts, const RunControl& control);

/// Per row of an API call: the host function whose end let its thread make the call; kNoActivity: none. No
/// record says so: it is inferred for threads that, after each pause, continued shortly after the end of a
/// host function. Empty without host functions or calls. @throws Error only when cancelled
Column<ActivityIndex> callbacksThatIssued(const TraceFacts& facts, const RunControl& control);

} // namespace olab::analysis
