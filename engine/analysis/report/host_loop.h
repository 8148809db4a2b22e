// Iterations by the loop of the host: calls that recur in their order, where operations of the device tell
// nothing because they are all alike.
#pragma once

#include "report/begins.h"

namespace olab::analysis {

/// Of the thread that issues most. Calls that only issue one kind of work are no loop: a wait, an event or
/// other work has to come between. None found: empty. @throws Error only when cancelled.
Begins hostLoop(const TraceFacts& facts, const RunControl& control);

} // namespace olab::analysis
