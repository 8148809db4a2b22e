#include "issue_queues.h"

namespace olab::sim {

void IssueQueues::enqueued(std::uint32_t op) {
    if (queues(m_context.op(op)))
        queueOf(m_context.op(op)).push_back(op);
}

bool IssueQueues::mayGo(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    if (!queues(o) || queueOf(o).front() == op)
        return true;
    o.awaitsTurn = true;
    return false;
}

void IssueQueues::dispatched(std::uint32_t op) {
    if (!queues(m_context.op(op)))
        return;
    std::deque<std::uint32_t>& queue = queueOf(m_context.op(op));
    queue.pop_front();
    if (queue.empty() || !m_context.op(queue.front()).awaitsTurn)
        return;
    m_context.op(queue.front()).awaitsTurn = false;
    m_context.events.at(m_context.now(), EventKind::Granted, queue.front());
}

} // namespace olab::sim
