// Managed memory in the graph: pages that move because a kernel or the host touched them where they were not,
// and those that the program asked for (a prefetch).
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Pages that were missing: kernels and pauses of the host in which they came would, without the cause
/// unified-memory, take as long as one copy of these bytes instead. Of pages that were asked for: what begins
/// or returns as the last of them has come waited for it.
void addMigrations(Sketch& sketch);

} // namespace olab::replay
