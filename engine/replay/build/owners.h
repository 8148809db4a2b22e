// Whom each wait of the recording belongs to: what the work stood behind last.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Graph::waits. The latencies are known, edges are sorted by where they end.
void findOwners(Sketch& sketch);

} // namespace olab::replay
