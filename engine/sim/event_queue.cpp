#include "event_queue.h"

#include "scaled.h"

#include <olab/trace/error.h>

#include <algorithm>

namespace olab::sim {

void EventQueue::at(Ns time, EventKind kind, std::uint32_t subject, std::uint32_t generation) {
    if (time > kForever)
        throw Error(ErrorKind::Usage, "too-long",
                    "On this device model the run would take more than 30 years.",
                    "Look for a rate that is too low, or a latency that is too long, in the device model.");
    m_heap.push({std::max(time, m_now), m_sequence++, subject, generation, kind});
}

Event EventQueue::pop() {
    const Event next = m_heap.top();
    m_heap.pop();
    m_now = next.time;
    return next;
}

} // namespace olab::sim
