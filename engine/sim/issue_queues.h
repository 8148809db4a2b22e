// Queues that are served in the order of issue, where a device or a system has such: one per engine (before
// Hyper-Q), or a single one for all engines. Only the first op of a queue may go to its engine, however ready
// the others are.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

class IssueQueues {
public:
    explicit IssueQueues(Context& context)
        : m_context(context)
        , m_queues(kEngineUnits * context.program.devices) {}
    bool inUse() const { return m_context.program.queues != QueueMode::Ready; }
    void enqueued(std::uint32_t op);
    /// Whether `op`, which is ready, may go; if not, an event Granted tells when it may.
    bool mayGo(std::uint32_t op);
    void dispatched(std::uint32_t op);

private:
    std::deque<std::uint32_t>& queueOf(const SimOp& op) {
        const bool single = m_context.program.queues == QueueMode::Single;
        return m_queues[op.device * kEngineUnits + (single ? 0 : static_cast<std::uint32_t>(op.unit))];
    }
    bool queues(const SimOp& op) const { return inUse() && isEngine(op.unit); }
    Context& m_context;
    std::vector<std::deque<std::uint32_t>> m_queues;
};

} // namespace olab::sim
