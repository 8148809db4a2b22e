// The longest chain of work that the ideal run keeps in order: streams, and events between them.
#pragma once

#include "graph/graph.h"

#include <span>

namespace olab::replay {

/// A lower bound: ignores waits of the host, barriers and latencies. O(edges).
/// @param gone causes whose edges are removed
/// @param lengths per number of device work
Ns idealChain(const Graph& graph, Causes gone, std::span<const Ns> lengths);

} // namespace olab::replay
