#include "copy_engines.h"

#include "scaled.h"

#include <algorithm>
#include <utility>

namespace olab::sim {

void HostLinks::start(const Flow& flow) {
    settle();
    ++countOf(flow);
    auto slot = std::find_if(m_slots.begin(), m_slots.end(), [](const Slot& s) { return !s.active; });
    if (slot == m_slots.end())
        slot = m_slots.insert(slot, Slot{});
    slot->flow = flow;
    slot->active = true;
    reschedule();
}

std::optional<Flow> HostLinks::done(std::uint32_t index, std::uint32_t generation) {
    Slot& slot = m_slots[index];
    if (!slot.active || slot.generation != generation)
        return std::nullopt;
    settle();
    slot.active = false;
    --countOf(slot.flow);
    const Flow flow = slot.flow;
    reschedule();
    return flow;
}

/// The current rate of the flow, as limited by its own device.
std::int64_t HostLinks::linkRate(const Flow& flow) const {
    const DeviceModel& model = m_context.model;
    const bool both = countOf(flow.device, !flow.toDevice) > 0;
    const std::uint32_t sharing = countOf(flow.device, flow.toDevice);
    if (!both && sharing == 1)
        return flow.rate;
    const std::int64_t alone = copyRate(model, flow.toDevice, false);
    const std::int64_t link = both ? (flow.toDevice ? model.h2dBothRate : model.d2hBothRate) : alone;
    return std::max<std::int64_t>(std::min(flow.rate, link / sharing), 1);
}

void HostLinks::findRates() {
    m_rates.assign(m_slots.size(), 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].active)
            sum += m_rates[i] = linkRate(m_slots[i].flow);
    const std::int64_t most = m_context.model.hostMemoryRate;
    if (m_context.program.devices > 1 && sum > most)
        for (std::int64_t& rate : m_rates)
            rate = std::max<std::int64_t>(scaled(rate, most, sum), rate > 0 ? 1 : 0);
}

/// Subtracts what has moved since the last change.
void HostLinks::settle() {
    const Ns elapsed = m_context.now() - m_settledAt;
    m_settledAt = m_context.now();
    for (std::size_t i = 0; elapsed > 0 && i < m_slots.size(); ++i) {
        Flow& flow = m_slots[i].flow;
        if (m_slots[i].active)
            flow.work = std::max<Ns>(flow.work - scaled(elapsed, m_rates[i], flow.rate), 0);
    }
}

void HostLinks::reschedule() {
    findRates();
    for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
        Slot& slot = m_slots[i];
        if (!slot.active)
            continue;
        const Ns left = scaledUp(slot.flow.work, slot.flow.rate, m_rates[i]);
        m_context.events.at(m_context.now() + left, EventKind::FlowDone, i, ++slot.generation);
    }
}

void CopyEngines::submit(std::uint32_t op) {
    const std::uint32_t index = engineOf(m_context.op(op));
    Engine& engine = m_engines[index];
    const bool awaited = engine.reservedFor == kNone || engine.reservedFor == op;
    if (engine.op == kNone && awaited)
        start(index, op);
    else
        engine.waiting.push_back(op);
}

void CopyEngines::start(std::uint32_t index, std::uint32_t op) {
    const DeviceModel& model = m_context.model;
    SimOp& o = m_context.op(op);
    m_engines[index].op = op;
    m_engines[index].reservedFor = kNone;
    m_engines[index].channel = o.channel;
    o.begin = m_context.now();
    m_context.events.at(m_context.now(), EventKind::Dispatched, op);
    if (isCopy(o.kind))
        return startOnBus(index, op);
    const std::int64_t rate = o.kind == experiment::OpKind::PeerCopy ? model.p2pRate : model.d2dRate;
    const Ns work = m_context.duration(model.copyLatency + transferTime(o.bytes, rate));
    m_context.events.at(m_context.now() + work, EventKind::CopyDone, index);
}

void CopyEngines::startOnBus(std::uint32_t index, std::uint32_t op) {
    const DeviceModel& model = m_context.model;
    const SimOp& o = m_context.op(op);
    Flow flow;
    flow.device = o.device;
    flow.toDevice = o.kind == experiment::OpKind::CopyH2D;
    const bool staged = o.pageable && o.hold != Hold::No;
    flow.rate = staged ? stagedRate(op) : copyRate(model, flow.toDevice, false);
    flow.work = m_context.duration(model.copyLatency + transferTime(o.bytes, flow.rate));
    flow.subject = index;
    if (o.hold == Hold::Staged)
        stageHost(op, flow.work);
    m_links.start(flow);
}

/// Of the buffers used in turn, some are still in the host's caches, the others come from its memory.
std::int64_t CopyEngines::stagedRate(std::uint32_t op) const {
    const DeviceModel& model = m_context.model;
    const SimOp& o = m_context.op(op);
    const bool toDevice = o.kind == experiment::OpKind::CopyH2D;
    const std::int64_t all = std::max<std::int64_t>(m_context.program.pageableBytes[toDevice ? 0 : 1], 1);
    const std::int64_t cached = std::min(all, model.hostCacheBytes);
    const Ns time = transferTime(cached, toDevice ? model.h2dCachedRate : model.d2hCachedRate) +
                    transferTime(all - cached, copyRate(model, toDevice, true));
    return std::max<std::int64_t>(scaled(all, 1000, std::max<Ns>(time, 1)), 1);
}

/// The call returns when the last chunk is in the staging buffer, before the device has it.
void CopyEngines::stageHost(std::uint32_t op, Ns work) {
    const DeviceModel& model = m_context.model;
    const Ns lastChunk =
        transferTime(std::min(m_context.op(op).bytes, model.pageableChunk), model.h2dPinnedRate);
    m_context.events.at(m_context.now() + std::max<Ns>(work - lastChunk, 0), EventKind::Staged, op);
}

std::uint32_t CopyEngines::copyDone(std::uint32_t engine) {
    return std::exchange(m_engines[engine].op, kNone);
}

void CopyEngines::next(std::uint32_t index, std::uint32_t follower) {
    Engine& engine = m_engines[index];
    if (engine.op != kNone)
        return;
    if (follower != kNone && isCopyUnit(m_context.op(follower).unit) &&
        engineOf(m_context.op(follower)) == index) {
        engine.reservedFor = follower;
        return;
    }
    if (engine.waiting.empty())
        return;
    start(index, takeNext(engine));
}

std::uint32_t CopyEngines::takeNext(Engine& engine) const {
    const auto distance = [&](std::uint32_t op) {
        return m_context.op(op).channel - engine.channel;
    }; // wraps
    const auto next = std::min_element(engine.waiting.begin(), engine.waiting.end(),
                                       [&](auto a, auto b) { return distance(a) < distance(b); });
    const std::uint32_t op = *next;
    engine.waiting.erase(next);
    return op;
}

void CopyEngines::late(std::uint32_t op) {
    for (std::uint32_t i = 0; i < m_engines.size(); ++i) {
        if (m_engines[i].reservedFor != op)
            continue;
        m_engines[i].reservedFor = kNone;
        next(i, kNone);
    }
}

} // namespace olab::sim
