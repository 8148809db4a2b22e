#include "submitter.h"

#include <algorithm>
#include <utility>

namespace olab::sim {

Ns Submitter::issue(std::uint32_t op) {
    if (!batches()) {
        m_streams.enqueue(op);
        return 0;
    }
    m_batch.push_back(op);
    const DeviceModel& model = m_context.model;
    if (m_batch.size() >= std::max(model.wddmBatchOps, 1u) || m_streams.unfinished() == 0)
        return flush();
    if (m_batch.size() == 1)
        m_context.events.at(m_context.now() + model.wddmBatchAge, EventKind::BatchTimer, 0, m_generation);
    return 0;
}

Ns Submitter::flush() {
    if (m_batch.empty())
        return 0;
    ++m_generation;
    for (const std::uint32_t op : std::exchange(m_batch, {})) {
        m_context.op(op).issued = m_context.now();
        m_streams.enqueue(op);
    }
    return m_context.latency(m_context.model.wddmSubmit);
}

void Submitter::timer(std::uint32_t generation) {
    if (generation == m_generation)
        flush(); // a system thread, not the host's
}

void Submitter::idle() {
    if (m_streams.unfinished() == 0)
        flush();
}

} // namespace olab::sim
