#include "issue_queues.h"

namespace olab::sim {

void IssueQueues::enqueued(std::uint32_t op) {
    if (queues(m_context.op(op)))
        queueOf(m_context.op(op)).push_back(op);
}

bool IssueQueues::mayGo(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    if (!queues(o) || (queueOf(o).front() == op && !otherEngineRuns(o)))
        return true;
    o.awaitsTurn = true;
    return false;
}

bool IssueQueues::otherEngineRuns(const SimOp& op) const {
    for (std::uint32_t i = op.device * kEngineUnits; single() && i < (op.device + 1) * kEngineUnits; ++i)
        if (i != engineOf(op) && m_running[i] > 0)
            return true;
    return false;
}

void IssueQueues::dispatched(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    if (!queues(o))
        return;
    ++m_running[engineOf(o)];
    queueOf(o).pop_front();
    letFirstGo(queueOf(o));
}

void IssueQueues::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    if (!queues(o))
        return;
    --m_running[engineOf(o)];
    letFirstGo(queueOf(o));
}

void IssueQueues::letFirstGo(const std::deque<std::uint32_t>& queue) {
    if (queue.empty())
        return;
    SimOp& first = m_context.op(queue.front());
    if (!first.awaitsTurn || otherEngineRuns(first))
        return;
    first.awaitsTurn = false;
    m_context.events.at(m_context.now(), EventKind::Granted, queue.front());
}

} // namespace olab::sim
