// Viewers of Chrome traces require nested events in a row. Rows of a recording need not nest: kernels of a
// stream can run simultaneously. Such a row becomes several nested ones. Private to io.
#pragma once

#include <olab/trace/trace.h>

namespace olab::io::exported {

/// All activities by begin, the longer first: containing activities come before contained ones.
std::vector<ActivityIndex> inNestingOrder(const Trace& trace);

class EventLanes {
public:
    explicit EventLanes(std::size_t queues)
        : m_open(queues) {}
    /// The row of an activity in its queue, from 0; call in the order above.
    std::size_t laneOf(QueueId queue, Interval time);

private:
    std::vector<std::vector<std::vector<Ns>>> m_open; ///< by queue and row: the ends of open activities
};

} // namespace olab::io::exported
