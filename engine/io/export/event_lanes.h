// Viewers of Chrome traces want the events of a row to nest. Rows of a recording need not: kernels of a
// stream can run at once. Such a row becomes several, each of which nests. Private to io.
#pragma once

#include <olab/trace/trace.h>

namespace olab::exported {

/// All activities by begin, the longer first: what contains others comes before them.
std::vector<ActivityIndex> inNestingOrder(const Trace& trace);

class EventLanes {
public:
    explicit EventLanes(std::size_t queues)
        : m_open(queues) {}
    /// Which row of its queue holds an activity, from 0; they come in the order above.
    std::size_t laneOf(QueueId queue, Interval time);

private:
    std::vector<std::vector<std::vector<Ns>>> m_open; ///< by queue and row: the ends of what is open
};

} // namespace olab::exported
