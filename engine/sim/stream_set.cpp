#include "stream_set.h"

#include <algorithm>
#include <utility>

namespace olab::sim {

StreamSet::StreamSet(Context& context, ChannelPools& channels)
    : m_context(context)
    , m_channels(channels)
    , m_barrier(context)
    , m_queues(context.program.streams.size())
    , m_gateOpen(!context.program.gate) {}

bool StreamSet::ringFull(std::uint32_t stream) const {
    return m_queues[stream].inRing >= std::max(m_context.model.queueDepth, 1u);
}

void StreamSet::enqueue(std::uint32_t op) {
    const std::uint32_t stream = m_context.op(op).stream;
    Queue& queue = m_queues[stream];
    m_barrier.issued(op);
    m_channels.enqueued(op);
    ++queue.inRing;
    ++m_unfinished;
    if (queue.tail != kNone)
        m_context.op(queue.tail).next = op;
    queue.tail = op;
    if (queue.head == kNone) {
        queue.head = op;
        advance(stream);
    }
}

void StreamSet::openGate() {
    m_gateOpen = true;
    m_gateOpenedAt = m_context.now();
    for (std::uint32_t stream = 0; stream < m_queues.size(); ++stream)
        advance(stream);
}

/// Lets the first op of the stream go, unless it is on its way already or something holds it.
void StreamSet::advance(std::uint32_t stream) {
    Queue& queue = m_queues[stream];
    if (queue.head == kNone || queue.headScheduled || !m_gateOpen)
        return;
    if (m_barrier.clear(queue.head)) {
        schedule(stream);
        return;
    }
    m_channels.yield(stream);
    if (stream != m_context.program.nullStream() && !std::exchange(queue.waitsForNull, true))
        m_barred.push_back(stream);
}

void StreamSet::schedule(std::uint32_t stream) {
    Queue& queue = m_queues[stream];
    queue.headScheduled = true;
    SimOp& op = m_context.op(queue.head);
    op.ready = readyTime(queue, queue.head);
    m_context.events.at(op.ready, EventKind::Ready, queue.head);
}

Ns StreamSet::readyTime(const Queue& queue, std::uint32_t index) {
    const DeviceModel& model = m_context.model;
    const SimOp& op = m_context.op(index);
    Ns ready = op.issued + m_context.latency(model.submitLatency);
    if (queue.hasPredecessor)
        ready = std::max(ready, queue.lastEnd + m_context.latency(hop(queue.lastKind, op.kind)));
    if (m_context.program.gate)
        ready = std::max(ready, m_gateOpenedAt + m_context.latency(model.gateLatency));
    if (const Ns cleared = m_barrier.clearedAt(index))
        ready = std::max(ready, cleared + m_context.latency(model.barrierLatency));
    return op.kind == OpKind::HostFn ? ready + m_context.latency(model.callbackIn) : ready;
}

Ns StreamSet::hop(OpKind from, OpKind to) const {
    const DeviceModel& model = m_context.model;
    if (from == OpKind::HostFn)
        return model.callbackOut;
    if (to == OpKind::HostFn)
        return 0; // callbackIn is all of it
    const bool same = from == to || (isCompute(from) && isCompute(to));
    return same ? model.hopSameEngine : model.hopOtherEngine;
}

void StreamSet::dispatched(std::uint32_t op) {
    --m_queues[m_context.op(op).stream].inRing;
    m_channels.dispatched(op);
}

void StreamSet::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    Queue& queue = m_queues[o.stream];
    m_barrier.done(op);
    --m_unfinished;
    queue.head = o.next;
    if (queue.head == kNone)
        queue.tail = kNone;
    queue.headScheduled = false;
    queue.hasPredecessor = true;
    queue.lastKind = o.kind;
    queue.lastEnd = m_context.now();
    advance(o.stream);
    if (o.stream == m_context.program.nullStream())
        wakeBarred();
    else
        advance(m_context.program.nullStream());
}

void StreamSet::wakeBarred() {
    for (const std::uint32_t stream : std::exchange(m_barred, {})) {
        m_queues[stream].waitsForNull = false;
        advance(stream);
    }
}

std::uint32_t StreamSet::scheduled(std::uint32_t stream) const {
    return m_queues[stream].headScheduled ? m_queues[stream].head : kNone;
}

} // namespace olab::sim
