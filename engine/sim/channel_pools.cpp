#include "channel_pools.h"

#include <algorithm>

namespace olab::sim {

ChannelPools::ChannelPools(Context& context)
    : m_context(context)
    , m_pools(2 * context.program.devices) {
    const std::uint32_t count = std::max(context.model.channels, 1u);
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        Pool& pool = m_pools[i];
        pool.taken.assign(count, false);
        pool.freeCount = count;
        pool.firstNumber = static_cast<std::uint32_t>(i % 2) * count;
        pool.held.resize(context.program.streams.size());
        for (std::size_t s = 0; s < pool.held.size(); ++s)
            pool.held[s].preferred = static_cast<std::uint32_t>(s) % count;
    }
}

ChannelPools::Pool* ChannelPools::poolOf(const SimOp& op) {
    if (!isEngine(op.unit))
        return nullptr;
    return &m_pools[2u * op.device + (op.unit == Unit::Compute ? 0 : 1)];
}

void ChannelPools::enqueued(std::uint32_t op) {
    if (Pool* pool = poolOf(m_context.op(op)))
        ++pool->held[m_context.op(op).stream].pending;
}

bool ChannelPools::acquire(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    Pool* pool = poolOf(o);
    if (!pool)
        return true;
    if (m_context.program.queues != QueueMode::Ready) { // one queue for all streams: it is the only channel
        o.channel = pool->firstNumber;
        return true;
    }
    if (take(*pool, op))
        return true;
    yield(o.stream);
    pool->waiting.push_back(op);
    return false;
}

bool ChannelPools::take(Pool& pool, std::uint32_t op) {
    SimOp& o = m_context.op(op);
    Held& held = pool.held[o.stream];
    if (held.channel == kNone) {
        if (pool.freeCount == 0)
            return false;
        if (pool.taken[held.preferred])
            held.preferred = static_cast<std::uint32_t>(
                std::find(pool.taken.begin(), pool.taken.end(), false) - pool.taken.begin());
        held.channel = held.preferred;
        pool.taken[held.channel] = true;
        --pool.freeCount;
    }
    o.channel = pool.firstNumber + held.channel;
    return true;
}

void ChannelPools::dispatched(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    Pool* pool = poolOf(o);
    if (pool && --pool->held[o.stream].pending == 0)
        release(*pool, o.stream);
}

void ChannelPools::yield(std::uint32_t stream) {
    for (Pool& pool : m_pools)
        release(pool, stream);
}

void ChannelPools::release(Pool& pool, std::uint32_t stream) {
    Held& held = pool.held[stream];
    if (held.channel == kNone)
        return;
    pool.taken[held.channel] = false;
    ++pool.freeCount;
    held.channel = kNone;
    if (pool.waiting.empty())
        return;
    const std::uint32_t op = pool.waiting.front();
    pool.waiting.pop_front();
    take(pool, op);
    m_context.events.at(m_context.now(), EventKind::Granted, op);
}

} // namespace olab::sim
