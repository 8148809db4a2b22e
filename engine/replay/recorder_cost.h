// What the recording of a program that is not ours took itself: CUPTI makes each launch longer, and a
// profiler of a framework records each operator, one within the other, on the thread that issues the work.
// Estimates. Times are ns.
#pragma once

#include "graph_sketch.h"

namespace olab::replay {

/// Of launches, and of the pauses between calls: moves the part of each pause between two calls that
/// recording the ranges begun in it took to the call behind it, where it falls away with LossCause::Tool.
/// What one range takes is told by ranges that do nothing but open another: hardly anything but the profiler
/// runs between their begins, and between their ends. Nothing where the recording has no operators of a
/// framework. Needs the edges of the threads.
void shareOutRecorder(Sketch& sketch);

} // namespace olab::replay
