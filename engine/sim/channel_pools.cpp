#include "channel_pools.h"

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

} // namespace olab::sim
