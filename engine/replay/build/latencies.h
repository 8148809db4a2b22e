// The usual latency of each kind of edge, learned from the recording: the mean over the steps that waited for
// an edge of its kind last. What single steps waited beyond that is not explained by it.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

void learnLatencies(Sketch& sketch);

} // namespace olab::replay
