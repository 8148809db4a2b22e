// Work that ran beside other work although the model says that there was no room for both.
#pragma once

#include "graph/graph.h"

namespace olab::replay {

/// Gives each grid at most the share that those beside it left free when it began: what was worked out from
/// its geometry is too much where the recording shows it running. A copy that began while another one of its
/// engine ran needs no engine: some drivers record a copy from its submission on.
void trustRecorded(Graph& graph);

/// Kernels take turns on their device, but for those that ran beside each other.
void keepKernelsApart(Graph& graph);

} // namespace olab::replay
