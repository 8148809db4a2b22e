// Work that a large grid of a higher priority kept waiting: priorities the wrong way round.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Of runs that do not say how many blocks the device holds at once. A grid that has blocks to begin yet
/// gives each place that becomes free to the next of them, unless one of a higher priority wants it; of equal
/// ones the first has them all.
class Starved {
public:
    explicit Starved(Sketch& sketch);
    /// The longest of the large grids of a higher priority that had blocks to begin from `since` until this
    /// kernel began; kNoNode: it did not wait for such ones.
    NodeId heldBy(NodeId kernel, Ns since) const;
    /// Without the cause this kernel, and what comes behind it in its stream until that waits for another,
    /// goes between the blocks of the large grid, which takes longer by the room that it gives away.
    void free(NodeId kernel, NodeId large);

private:
    Sketch& m_sketch;
    bool m_areThere = false; ///< different priorities
};

} // namespace olab::replay
