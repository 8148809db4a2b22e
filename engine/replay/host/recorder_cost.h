// What the recording of a program that is not ours took itself: CUPTI makes each launch longer, and a
// profiler of a framework records each operator, one within the other, on the thread that issues the work.
// Estimates. Times are ns.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// What recording takes of each node of a graph that is launched, at most.
inline constexpr Ns kMostOfRecordedNode = 3'000;
/// In smaller graphs it is no more than other launches show.
inline constexpr std::size_t kFewestRecordedNodes = 8;

/// Moves what recording took of each launch, and of each pause between two calls, to where it falls away with
/// LossCause::Tool. A pause holds as many ranges of operators as began in it. What one of them takes is told
/// by ranges that do nothing but open another: hardly anything but the profiler runs between the two begins,
/// and between the two ends. Needs the edges of the threads.
void shareOutRecorder(Sketch& sketch, RecorderShare share);

} // namespace olab::replay
