#include "host_thread.h"

#include <algorithm>

namespace olab::sim {

void HostThread::step() {
    if (m_next == m_context.program.ops.size()) {
        m_finished = true;
        return;
    }
    SimOp& op = m_context.op(m_next);
    op.apiBegin = m_context.now();
    if (op.kind == OpKind::HostSync) {
        finishIssue();
        return;
    }
    if (m_streams.ringFull(op.stream))
        block(Block::Ring);
    else
        enter(m_next);
}

void HostThread::enter(std::uint32_t op) {
    m_block = Block::None;
    m_context.events.at(m_context.now() + m_context.latency(callCost(m_context.op(op))),
                        EventKind::HostEnqueue, op);
}

void HostThread::enqueue() {
    SimOp& op = m_context.op(m_next);
    op.issued = m_context.now();
    m_streams.enqueue(m_next);
    if (op.blocksHost)
        block(Block::Copy);
    else
        returnAt(m_context.now());
}

void HostThread::block(Block why) {
    m_block = why;
    if (m_streams.gateClosed())
        m_context.events.at(m_context.op(m_next).apiBegin + kGatePatience, EventKind::GateTimer, m_next);
}

void HostThread::gateTimer(std::uint32_t op) {
    if (m_block == Block::None || m_next != op || !m_streams.gateClosed())
        return;
    m_gateOpenedAtOp = op;
    m_streams.openGate();
}

void HostThread::dispatched(std::uint32_t op) {
    if (m_block == Block::Ring && m_context.op(op).stream == m_context.op(m_next).stream)
        enter(m_next);
}

void HostThread::staged(std::uint32_t op) {
    if (m_block == Block::Copy && m_next == op)
        returnAt(m_context.now());
}

void HostThread::done(std::uint32_t op) {
    if (m_block == Block::Sync)
        trySync();
    else if (m_block == Block::Copy && m_next == op)
        returnAt(m_context.now() + m_context.latency(m_context.model.pageableReturn));
}

void HostThread::returnAt(Ns time) {
    m_block = Block::None;
    m_context.op(m_next).apiEnd = time;
    ++m_next;
    m_context.events.at(time + m_context.latency(m_context.model.hostGap), EventKind::HostStep, m_next);
}

void HostThread::finishIssue() {
    if (m_streams.gateClosed())
        m_streams.openGate();
    m_block = Block::Sync;
    m_syncBegin = m_context.now();
    trySync();
}

void HostThread::trySync() {
    if (m_streams.unfinished() > 0)
        return;
    const Ns waited = m_context.now() > m_syncBegin ? m_context.latency(m_context.model.syncWake) : 0;
    m_syncEnd = m_context.now() + std::max(waited, m_context.model.issueSync);
    returnAt(m_syncEnd);
}

Ns HostThread::callCost(const SimOp& op) const {
    const DeviceModel& m = m_context.model;
    const Ns inlineStaging = op.pageable && !op.blocksHost ? transferTime(op.bytes, m.h2dPageableRate) : 0;
    switch (op.kind) {
    case OpKind::CopyH2D:
    case OpKind::CopyD2H:
        return (op.blocksHost && op.kind == OpKind::CopyH2D ? m.pageableSetup : m.issueCopy) + inlineStaging;
    case OpKind::Memset:
    case OpKind::NullMemset:
        return m.issueMemset;
    case OpKind::Kernel:
    case OpKind::NullKernel:
        return m.issueKernel;
    case OpKind::HostFn:
        return m.issueHostFn;
    case OpKind::NullEvent:
        return m.issueEvent;
    default:
        return m.issueEvent;
    }
}

} // namespace olab::sim
