// Kernels that kept another one waiting for room on the multiprocessors.
#pragma once

#include "graph/graph_sketch.h"

#include <functional>

namespace olab::replay {

/// Whether this one of another stream, which began before the one that waits, left it no room.
using LeftNoRoom = std::function<bool(const Node& kernel)>;
/// The longest of those that ran from `since` until `waiting` began; kNoNode: they did not run all the time.
NodeId occupiedBy(const Sketch& sketch, NodeId waiting, Ns since, const LeftNoRoom& leftNoRoom);

} // namespace olab::replay
