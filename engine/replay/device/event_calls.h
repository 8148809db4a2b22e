// Calls that record events and make streams wait, if no record says which event of which stream.
#pragma once

#include "graph/graph_sketch.h"

#include <map>
#include <vector>

namespace olab::replay {

struct EventCalls {
    std::vector<Ns> records, waits; ///< their begins, in order
    /// Whether a stream was made to wait between these times.
    bool waitsBetween(Ns after, Ns before) const;
};

/// Per process. Empty if records contain more.
std::map<std::uint32_t, EventCalls> unseenEventCalls(const Sketch& sketch);

} // namespace olab::replay
