// The owner of each wait of the recording: the last constraint of the work.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Sets Graph::waits. Needs the latencies, and edges sorted by their ends.
void findOwners(Sketch& sketch);

} // namespace olab::replay
