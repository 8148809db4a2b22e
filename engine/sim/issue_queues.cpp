#include "issue_queues.h"

#include <algorithm>
#include <numeric>

namespace olab::sim {

ChannelPools::ChannelPools(Context& context)
    : m_context(context)
    , m_pools(kEngineUnits * context.program.devices)
    , m_last(context.program.streams.size(), kNone) {
    const bool oneEach = context.program.queues != QueueMode::Ready;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        const auto unit = static_cast<Unit>(i % kEngineUnits);
        if (unit == Unit::Compute)
            next = 0;
        const DeviceModel& model = context.model;
        const std::uint32_t wanted = unit == Unit::Compute ? model.channels : model.copyChannels;
        const std::uint32_t most = static_cast<std::uint32_t>(context.program.streams.size());
        const std::uint32_t count = oneEach ? 1u : std::clamp(wanted, 1u, std::max(most, 1u));
        Pool& pool = m_pools[i];
        pool.first = next;
        pool.owner.assign(count, kNone);
        pool.byUse.resize(count);
        std::iota(pool.byUse.begin(), pool.byUse.end(), 0u);
        pool.ofStream.assign(context.program.streams.size(), kNone);
        next += count;
    }
}

void ChannelPools::assign(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    if (o.unit == Unit::Worker)
        o.channel = m_last[o.stream];
    else if (isEngine(o.unit))
        o.channel = m_last[o.stream] =
            take(m_pools[o.device * kEngineUnits + static_cast<std::size_t>(o.unit)], o.stream);
}

std::uint32_t ChannelPools::take(Pool& pool, std::uint32_t stream) {
    std::uint32_t& mine = pool.ofStream[stream];
    if (mine == kNone) {
        mine = pool.byUse.front();
        if (pool.owner[mine] != kNone)
            pool.ofStream[pool.owner[mine]] = kNone;
        pool.owner[mine] = stream;
    }
    const auto used = std::find(pool.byUse.begin(), pool.byUse.end(), mine);
    std::rotate(used, used + 1, pool.byUse.end());
    return pool.first + mine;
}

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

void NullBarrier::issued(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    Device& device = m_devices[o.device];
    o.epoch = static_cast<std::uint32_t>(device.open.size() - 1);
    if (isNull(o))
        device.open.push_back(0);
    else if (isBlocking(o))
        ++device.open.back();
}

bool NullBarrier::clear(std::uint32_t op) const {
    const SimOp& o = m_context.op(op);
    const Device& device = m_devices[o.device];
    // A NULL op's epoch closed when it was issued; earlier epochs were empty before the previous NULL op
    // could go.
    if (isNull(o))
        return device.open[o.epoch] == 0;
    return !isBlocking(o) || o.epoch <= device.nullDone;
}

void NullBarrier::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    Device& device = m_devices[o.device];
    if (isNull(o)) {
        ++device.nullDone;
        device.nullDoneAt = m_context.now();
    } else if (isBlocking(o)) {
        --device.open[o.epoch];
        device.blockingDoneAt = m_context.now();
    }
}

Ns NullBarrier::clearedAt(std::uint32_t op) const {
    const SimOp& o = m_context.op(op);
    const Device& device = m_devices[o.device];
    if (isNull(o))
        return device.blockingDoneAt;
    return isBlocking(o) ? device.nullDoneAt : 0;
}

} // namespace olab::sim
