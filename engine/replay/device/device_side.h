// The devices' part of a graph: work in the order of its streams, and everything else that orders it.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

void addWork(Sketch& sketch);
void addHostFunctions(Sketch& sketch);
/// Sets Sketch::streams and Sketch::issued, and the order of each stream.
void addStreams(Sketch& sketch);
void addIssue(Sketch& sketch);
void addEvents(Sketch& sketch);
/// Lets short copies overtake a long one of their stream and direction.
void addWaysPast(Sketch& sketch);
void addNullStream(Sketch& sketch);
void addChannels(Sketch& sketch);
/// First launches that load their function while other work runs.
void addLoading(Sketch& sketch);
/// Splits each duration into parts, such as how much longer copies take while the other direction copies.
void shareOutDurations(Sketch& sketch);

} // namespace olab::replay
