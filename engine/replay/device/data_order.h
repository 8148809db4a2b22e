// The order that the data of a run of the lab needs. No remedy may take it away.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Between streams; needs Sketch::streams. Nothing is known of the data of other programs.
void addDataOrder(Sketch& sketch);

} // namespace olab::replay
