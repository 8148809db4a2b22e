// The order that the data of a lab run requires. No remedy may remove it.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Adds it between streams; needs Sketch::streams. The data of other programs is unknown.
void addDataOrder(Sketch& sketch);

} // namespace olab::replay
