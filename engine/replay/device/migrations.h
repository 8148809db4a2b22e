// Managed memory in the graph: pages that migrate because a kernel or the host touched them, and pages that
// the program requested (a prefetch).
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Missing pages: without the cause unified-memory, the kernels and host pauses in which they arrived take as
/// long as one copy of these bytes instead. Requested pages: whatever begins or returns when the last of them
/// has arrived waited for it.
void addMigrations(Sketch& sketch);

} // namespace olab::replay
