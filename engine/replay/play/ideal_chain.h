// The longest chain of work that the ideal run keeps in order: streams, and the events between them.
#pragma once

#include "graph/graph.h"

#include <span>

namespace olab::replay {

/// Waits of the host, barriers and latencies are left out: a lower bound. O(edges).
/// @param gone causes whose edges are not there
/// @param lengths per number of device work
Ns idealChain(const Graph& graph, Causes gone, std::span<const Ns> lengths);

} // namespace olab::replay
