// The part of a graph that the host plays: calls in the order of each thread, and how each may have waited.
#pragma once

#include "graph/call_kinds.h"
#include "graph/graph_sketch.h"

namespace olab::replay {

/// Nodes of the calls (with Sketch::callOf), of host functions, and the edges along each thread.
void addThreads(Sketch& sketch);
/// What calls waited for: once the nodes of device work are there.
void addWaits(Sketch& sketch);
/// Calls that a host function, or the return of another thread from a wait, set off.
void addWakeUps(Sketch& sketch);
/// The same where only calls tell of host functions: of programs that are none of the lab.
void addSetOff(Sketch& sketch);

} // namespace olab::replay
