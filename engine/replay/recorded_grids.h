// Grids that ran beside others although together they need more than the device has.
#pragma once

#include "graph.h"

namespace olab::replay {

/// Gives each grid at most the share that those beside it left free when it began: what was worked out from
/// its geometry is too much where the recording shows it running.
void trustRecordedGrids(Graph& graph);

} // namespace olab::replay
