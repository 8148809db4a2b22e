#include "copy_engines.h"

#include <algorithm>
#include <utility>

namespace olab::sim {

CopyEngines::CopyEngines(Context& context)
    : m_context(context)
    , m_settledAt(context.now()) {}

std::uint32_t CopyEngines::engineOf(OpKind kind) const {
    return kind == OpKind::CopyD2H && m_context.model.copyEngines > 1 ? 1 : 0;
}

void CopyEngines::submit(std::uint32_t op) {
    const std::uint32_t index = engineOf(m_context.op(op).kind);
    Engine& engine = m_engines[index];
    const bool awaited = engine.reservedFor == kNone || engine.reservedFor == op;
    if (engine.op == kNone && awaited)
        start(index, op);
    else
        engine.waiting.push_back(op);
}

void CopyEngines::start(std::uint32_t index, std::uint32_t op) {
    const DeviceModel& model = m_context.model;
    settle();
    SimOp& o = m_context.op(op);
    Engine& engine = m_engines[index];
    engine.op = op;
    engine.reservedFor = kNone;
    engine.rate = copyRate(model, o.kind == OpKind::CopyH2D, o.blocksHost);
    engine.remaining = m_context.duration(model.copyLatency + transferTime(o.bytes, engine.rate));
    o.begin = m_context.now();
    m_context.events.at(m_context.now(), EventKind::Dispatched, op);
    if (o.blocksHost && o.kind == OpKind::CopyH2D)
        stageHost(op, engine.remaining);
    reschedule();
}

/// The call returns when the last chunk is in the staging buffer, before the device has it.
void CopyEngines::stageHost(std::uint32_t op, Ns work) {
    const DeviceModel& model = m_context.model;
    const Ns lastChunk =
        transferTime(std::min(m_context.op(op).bytes, model.pageableChunk), model.h2dPinnedRate);
    m_context.events.at(m_context.now() + std::max<Ns>(work - lastChunk, 0), EventKind::Staged, op);
}

/// What a copy reaches of its rate now: both directions together want more than the host's memory gives.
std::int64_t CopyEngines::rateNow(std::uint32_t index) const {
    const Engine& engine = m_engines[index];
    if (m_engines[1 - index].op == kNone)
        return engine.rate;
    const DeviceModel& model = m_context.model;
    return std::min(engine.rate, index == 0 ? model.h2dBothRate : model.d2hBothRate);
}

/// Takes off what the running copies have moved since the last change.
void CopyEngines::settle() {
    const Ns elapsed = m_context.now() - std::exchange(m_settledAt, m_context.now());
    for (std::uint32_t i = 0; i < m_engines.size(); ++i) {
        Engine& e = m_engines[i];
        if (e.op != kNone)
            e.remaining = std::max<Ns>(e.remaining - elapsed * rateNow(i) / e.rate, 0);
    }
}

void CopyEngines::reschedule() {
    for (std::uint32_t i = 0; i < m_engines.size(); ++i) {
        Engine& e = m_engines[i];
        if (e.op == kNone)
            continue;
        const std::int64_t rate = rateNow(i);
        const Ns left = (e.remaining * e.rate + rate - 1) / rate;
        m_context.events.at(m_context.now() + left, EventKind::CopyDone, i, ++e.generation);
    }
}

std::optional<std::uint32_t> CopyEngines::copyDone(std::uint32_t index, std::uint32_t generation) {
    Engine& engine = m_engines[index];
    if (engine.op == kNone || engine.generation != generation)
        return std::nullopt;
    settle();
    const std::uint32_t op = std::exchange(engine.op, kNone);
    reschedule();
    return op;
}

void CopyEngines::next(std::uint32_t index, std::uint32_t follower) {
    Engine& engine = m_engines[index];
    if (engine.op != kNone)
        return;
    if (follower != kNone && isCopy(m_context.op(follower).kind) &&
        engineOf(m_context.op(follower).kind) == index) {
        engine.reservedFor = follower;
        return;
    }
    if (engine.waiting.empty())
        return;
    const std::uint32_t op = engine.waiting.front();
    engine.waiting.pop_front();
    start(index, op);
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
