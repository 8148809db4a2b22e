// The overhead of recording a program that is not the lab's: CUPTI makes each launch longer, and a
// framework's profiler records each operator, nested, on the thread that issues the work. Estimates. Times
// are ns.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Largest overhead of recording per node of a launched graph.
inline constexpr Ns kMostOfRecordedNode = 3'000;
/// In smaller graphs the overhead is not above that of other launches.
inline constexpr std::size_t kFewestRecordedNodes = 8;

/// Moves the overhead of recording, of each launch and of each pause between two calls, into a part that is
/// removed with LossCause::Tool. A pause contains as many operator ranges as began in it. The cost of one is
/// learned from ranges that only open another range: almost nothing but the profiler runs between the two
/// begins, and between the two ends. Needs the edges of the threads.
void shareOutRecorder(Sketch& sketch, RecorderShare share);

} // namespace olab::replay
