// The host's part of a graph: calls in the order of each thread, and how each may have waited.
#pragma once

#include "graph/call_kinds.h"
#include "graph/graph_sketch.h"

namespace olab::replay {

/// Adds nodes for calls (with Sketch::callOf) and host functions, and the edges along each thread.
void addThreads(Sketch& sketch);
/// Adds what calls waited for. Needs the nodes of device work.
void addWaits(Sketch& sketch);
/// Adds calls triggered by a host function, or by another thread's return from a wait.
void addWakeUps(Sketch& sketch);
/// The same for programs that are not the lab's, where only calls show host functions.
void addSetOff(Sketch& sketch);

} // namespace olab::replay
