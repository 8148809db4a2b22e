// Which streams wait for the NULL stream and it for them.
#pragma once

#include "graph/graph_sketch.h"

#include <vector>

namespace olab::replay {

/// Per queue, as records say; else as told from when work began: two streams that went on again and again as
/// the other one ended, with nothing that made them wait, and never worked side by side, are the NULL stream
/// (CUPTI gives it the lowest number) and a blocking one.
struct StreamKinds {
    std::vector<StreamKind> kinds;
    bool areInferred = false;
};
StreamKinds streamKinds(const Sketch& sketch);

} // namespace olab::replay
