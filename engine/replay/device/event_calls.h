// The calls that record events and make streams wait, where no record says which event of which stream.
#pragma once

#include "graph/graph_sketch.h"

#include <map>
#include <vector>

namespace olab::replay {

struct EventCalls {
    std::vector<Ns> records, waits; ///< when they began, in order
    /// A stream was made to wait between these moments.
    bool waitsBetween(Ns after, Ns before) const;
};

/// Per process. Empty where records tell more.
std::map<std::uint32_t, EventCalls> unseenEventCalls(const Sketch& sketch);

} // namespace olab::replay
