// Makes RecordedNeeds, and finds the callbacks that the host waited for. Private to analysis.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Needs TraceFacts::apiOf() and issuedBy(). @throws Error only when cancelled
RecordedNeeds recordedNeeds(const TraceFacts& facts, const RunControl& control);

/// Per row of an API call the host function whose end let its thread make it, kNoActivity: none. No record
/// says so: it is taken so of a thread that, whenever it had paused, went on shortly after a host function
/// had ended. By row; empty without host functions or calls. @throws Error only when cancelled
Column<ActivityIndex> callbacksThatIssued(const TraceFacts& facts, const RunControl& control);

} // namespace olab::analysis
