// Devices that receive all work through one queue, regardless of its streams.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Needs all other edges of the device. Only if the recording shows it repeatedly: a copy that was free to
/// begin waited for the kernel whose call came before its own, or a kernel for a copy.
void addSubmission(Sketch& sketch);

} // namespace olab::replay
