// Work that ran in parallel although the model says that there was no room for both.
#pragma once

#include "graph/graph.h"

namespace olab::replay {

/// Limits each grid to the share that was left free when it began: the share computed from its geometry is
/// too large if the recording shows it running. A copy that began while another one of its engine ran needs
/// no engine: some drivers record a copy from its submission on.
void trustRecorded(Graph& graph);

/// Makes kernels take turns on their device, except those that ran in parallel.
void keepKernelsApart(Graph& graph);

} // namespace olab::replay
