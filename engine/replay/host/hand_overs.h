// Threads of a program that take turns: while one makes its calls the other waits for it, as the thread that
// computes gradients and the one that calls backward() do. No record says so; the pauses do.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Of a program that is not ours: a call behind a long pause of its thread comes behind the last call of
/// another thread of the process that ended in that pause and was followed by silence. The pause itself then
/// holds up nothing. Needs the edges of the threads.
void addHandOvers(Sketch& sketch);

} // namespace olab::replay
