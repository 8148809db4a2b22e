// The usual latency of each kind of edge, learned from the recording: the mean over the steps whose last
// predecessor was an edge of that kind. Waiting beyond that remains unexplained by it.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

void learnLatencies(Sketch& sketch);

} // namespace olab::replay
