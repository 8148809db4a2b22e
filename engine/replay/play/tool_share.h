// The cost of the recording itself, as a cause of its own in the graph.
#pragma once

#include "graph/graph.h"

#include <olab/trace/run_control.h>

namespace olab::replay {

/// Makes each call a little longer because it was recorded: the sum is what the model of the run (`base`, ns)
/// has to lose to be as short as the same run without recording. No effect if `ratio` (recorded / unrecorded)
/// is within the spread of runs, or if calls cannot be the reason. @throws Error only when cancelled
void shareOutTool(Graph& graph, Ns base, double ratio, const RunControl& control);

} // namespace olab::replay
