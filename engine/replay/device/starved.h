// Work delayed by a large grid of a higher priority: inverted priorities.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// For runs without the number of blocks that the device holds at once. A grid with blocks left to start
/// gives each free place to its next block, unless a grid of a higher priority wants it; of equal priorities
/// the first grid takes all.
class Starved {
public:
    explicit Starved(Sketch& sketch);
    /// The longest of the large grids of a higher priority that had blocks left to start from `since` to the
    /// begin of this kernel; kNoNode: it did not wait for such grids.
    NodeId heldBy(NodeId kernel, Ns since) const;
    /// Without the cause, this kernel and its successors in the stream, up to one that waits for another
    /// stream, run between the blocks of the large grid, which takes longer by the room it gives up.
    void free(NodeId kernel, NodeId large);

private:
    Sketch& m_sketch;
    bool m_areThere = false; ///< priorities differ
};

} // namespace olab::replay
