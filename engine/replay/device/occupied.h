// Kernels that made another one wait for room on the multiprocessors.
#pragma once

#include "graph/graph_sketch.h"

#include <functional>

namespace olab::replay {

/// Whether a kernel of another stream that began before the waiting one left it no room.
using LeftNoRoom = std::function<bool(const Node& kernel)>;
/// The longest of those kernels that ran from `since` to the begin of `waiting`; kNoNode: they did not cover
/// that whole time.
NodeId occupiedBy(const Sketch& sketch, NodeId waiting, Ns since, const LeftNoRoom& leftNoRoom);

} // namespace olab::replay
