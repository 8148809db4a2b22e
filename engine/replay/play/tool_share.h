// What the recording itself took, as a cause of its own in the graph.
#pragma once

#include "graph/graph.h"

#include <olab/trace/run_control.h>

namespace olab::replay {

/// Each call took a little longer because it was recorded: as much of all calls as the model of the run
/// (`base`, ns) has to lose to be shorter by what the same run took less without recording. Nothing where
/// `ratio` (recorded by unrecorded) is within the spread of runs, or where calls cannot be the reason.
/// @throws Error only when cancelled
void shareOutTool(Graph& graph, Ns base, double ratio, const RunControl& control);

} // namespace olab::replay
