// Devices that get all their work through one queue, whatever streams it is in.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Needs all other edges of the device. Only where the recording shows it again and again: a copy that was
/// free to begin waited for the kernel whose call came before its own, or a kernel for a copy.
void addSubmission(Sketch& sketch);

} // namespace olab::replay
