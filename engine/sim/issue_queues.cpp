#include "issue_queues.h"

namespace olab::sim {

/// Channels are numbered per device.
std::size_t IssueQueues::indexOf(const SimOp& op) const {
    const std::uint32_t queue = single() ? 0 : op.channel;
    return std::size_t{queue} * m_context.program.devices + op.device;
}

IssueQueues::Queue& IssueQueues::queueOf(const SimOp& op) {
    const std::size_t index = indexOf(op);
    if (index >= m_queues.size())
        m_queues.resize(index + 1);
    return m_queues[index];
}

void IssueQueues::enqueued(std::uint32_t op) {
    if (queues(m_context.op(op)))
        queueOf(m_context.op(op)).ops.push_back(op);
}

bool IssueQueues::mayGo(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    if (!queues(o))
        return true;
    Queue& queue = queueOf(o);
    if (queue.ops.front() != op || !mayLead(o)) {
        o.awaitsTurn = true;
        return false;
    }
    if (o.unit == Unit::Worker)
        leave(queue);
    return true;
}

/// Whether other queues allow the first of a queue to leave it.
bool IssueQueues::mayLead(const SimOp& op) {
    if (op.unit == Unit::Worker)
        return queueOf(op).running == 0;
    m_running.resize(std::size_t{kEngineUnits} * m_context.program.devices, 0);
    for (std::uint32_t i = op.device * kEngineUnits; single() && i < (op.device + 1) * kEngineUnits; ++i)
        if (i != engineOf(op) && m_running[i] > 0)
            return false;
    return true;
}

void IssueQueues::leave(Queue& queue) {
    queue.ops.pop_front();
    letFirstGo(queue);
}

void IssueQueues::dispatched(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    if (!queues(o) || o.unit == Unit::Worker)
        return;
    ++m_running[engineOf(o)];
    ++queueOf(o).running;
    leave(queueOf(o));
}

void IssueQueues::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    if (!queues(o) || o.unit == Unit::Worker)
        return;
    --m_running[engineOf(o)];
    --queueOf(o).running;
    letFirstGo(queueOf(o));
}

void IssueQueues::letFirstGo(Queue& queue) {
    if (queue.ops.empty())
        return;
    const std::uint32_t op = queue.ops.front();
    SimOp& first = m_context.op(op);
    if (!first.awaitsTurn || !mayLead(first))
        return;
    first.awaitsTurn = false;
    m_context.events.at(m_context.now(), EventKind::Granted, op);
    if (first.unit == Unit::Worker)
        leave(queue);
}

} // namespace olab::sim
