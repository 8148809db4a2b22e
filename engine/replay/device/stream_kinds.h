// Which streams wait for the NULL stream, and vice versa.
#pragma once

#include "graph/graph_sketch.h"

#include <vector>

namespace olab::replay {

/// Per queue, from records; otherwise from begin times: two streams that repeatedly continued when the other
/// ended, without any other reason to wait, and never ran in parallel, are the NULL stream (CUPTI gives it
/// the lowest number) and a blocking one.
struct StreamKinds {
    std::vector<StreamKind> kinds;
    bool areInferred = false;
};
StreamKinds streamKinds(const Sketch& sketch);

} // namespace olab::replay
