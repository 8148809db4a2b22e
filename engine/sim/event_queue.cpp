#include "event_queue.h"

#include <algorithm>

namespace olab::sim {

void EventQueue::at(Ns time, EventKind kind, std::uint32_t subject, std::uint32_t generation) {
    m_heap.push({std::max(time, m_now), m_sequence++, subject, generation, kind});
}

Event EventQueue::pop() {
    const Event next = m_heap.top();
    m_heap.pop();
    m_now = next.time;
    return next;
}

} // namespace olab::sim
