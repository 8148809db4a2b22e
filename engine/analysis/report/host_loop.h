// Iterations found by the host's loop: calls that recur in the same order. For runs whose device operations
// are all alike.
#pragma once

#include "report/begins.h"

namespace olab::analysis {

/// Looks at the thread that issues most. Calls that only issue one kind of work are no loop: a wait, an event
/// or other work must come between. Empty: none found. @throws Error only when cancelled.
Begins hostLoop(const TraceFacts& facts, const RunControl& control);

} // namespace olab::analysis
