// Threads that take turns: while one makes its calls the other waits for it, like the thread that computes
// gradients and the one that calls backward(). Derived from the pauses, since no record shows it.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// For a program that is not the lab's: a call after a long pause of its thread follows the last call of
/// another thread of the process that ended in that pause and was followed by silence. The pause itself then
/// delays nothing. Needs the edges of the threads.
void addHandOvers(Sketch& sketch);

} // namespace olab::replay
