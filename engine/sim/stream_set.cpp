#include "stream_set.h"

#include <algorithm>
#include <utility>

namespace olab::sim {

StreamSet::StreamSet(Context& context, ChannelPools& channels, IssueQueues& queues)
    : m_context(context)
    , m_channels(channels)
    , m_issueQueues(queues)
    , m_barrier(context)
    , m_queues(context.program.streams.size())
    , m_events(context.program.events)
    , m_gateOpen(!context.program.gate) {}

/// A graph's nodes are already on the device: they take no room in rings.
bool StreamSet::ringFull(std::uint32_t stream) const {
    return !m_context.program.graph && m_queues[stream].inRing >= std::max(m_context.model.queueDepth, 1u);
}

void StreamSet::enqueue(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    Queue& queue = m_queues[o.stream];
    m_barrier.issued(op);
    m_channels.assign(op);
    m_issueQueues.enqueued(op);
    ++queue.inRing;
    ++queue.issued;
    ++m_unfinished;
    if (o.kind == experiment::OpKind::EventRecord)
        m_events[o.event].recorded = true;
    else if (o.kind == experiment::OpKind::EventWait && !m_events[o.event].recorded)
        o.event = kNone; // a wait for an event that is not recorded yet has no effect
    if (queue.tail != kNone)
        m_context.op(queue.tail).next = op;
    queue.tail = op;
    if (queue.head == kNone) {
        queue.head = op;
        advance(o.stream);
    }
}

void StreamSet::openGate() {
    m_gateOpen = true;
    m_gateOpenedAt = m_context.now();
    for (std::uint32_t stream = 0; stream < m_queues.size(); ++stream)
        advance(stream);
}

/// Releases the first op of the stream, unless it is already released or blocked.
void StreamSet::advance(std::uint32_t stream) {
    Queue& queue = m_queues[stream];
    if (queue.head == kNone || queue.headScheduled || !m_gateOpen)
        return;
    if (!held(stream))
        schedule(stream);
}

/// Whether a barrier or an event blocks the stream's head; if so, registers the stream as waiting.
bool StreamSet::held(std::uint32_t stream) {
    Queue& queue = m_queues[stream];
    const SimOp& op = m_context.op(queue.head);
    if (!m_barrier.clear(queue.head)) {
        if (!m_context.program.isNull(stream) && !std::exchange(queue.waitsForNull, true))
            m_barred.push_back(stream);
        return true;
    }
    if (op.kind != experiment::OpKind::EventWait || op.event == kNone || m_events[op.event].done)
        return false;
    m_events[op.event].waiting.push_back(stream);
    return true;
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
    Ns ready = std::max(op.issued + m_context.latency(model.submitLatency), queue.free);
    if (queue.hasPredecessor)
        ready = std::max(ready, queue.lastEnd + m_context.latency(hop(queue, op)));
    if (m_context.program.gate)
        ready = std::max(ready, m_gateOpenedAt + m_context.latency(model.gateLatency));
    if (const Ns cleared = m_barrier.clearedAt(index))
        ready = std::max(ready, cleared + m_context.latency(model.barrierLatency));
    if (op.kind == experiment::OpKind::EventWait && op.event != kNone)
        ready = std::max(ready, m_events[op.event].doneAt + m_context.latency(model.eventLatency));
    return ready;
}

Ns StreamSet::hop(const Queue& queue, const SimOp& to) const {
    const DeviceModel& model = m_context.model;
    if (queue.lastKind == experiment::OpKind::HostFn)
        return model.callbackOut;
    if (to.kind == experiment::OpKind::HostFn || passes(to))
        return 0; // callbackIn covers it; an event is reached when everything before it is done
    if (m_context.program.graph)
        return model.graphNode;
    const experiment::OpKind from = queue.lastKind;
    const bool same = from == to.kind || (isCompute(from) && isCompute(to.kind));
    return same ? model.hopSameEngine : model.hopOtherEngine;
}

/// Takes no time itself: what follows it depends on what was before it.
bool StreamSet::passes(const SimOp& op) const {
    return op.kind == experiment::OpKind::EventRecord || op.kind == experiment::OpKind::EventWait ||
           (op.kind == experiment::OpKind::HostFn && op.unit == Unit::Nothing);
}

void StreamSet::dispatched(std::uint32_t op) {
    --m_queues[m_context.op(op).stream].inRing;
    m_issueQueues.dispatched(op);
}

void StreamSet::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    Queue& queue = m_queues[o.stream];
    m_barrier.done(op);
    --m_unfinished;
    ++queue.done;
    queue.head = o.next;
    if (queue.head == kNone)
        queue.tail = kNone;
    queue.headScheduled = false;
    remember(queue, o);
    noteEvent(o);
    advance(o.stream);
    if (m_context.program.isNull(o.stream))
        wakeBarred();
    else
        advance(m_context.program.nullStream(o.device));
}

void StreamSet::remember(Queue& queue, const SimOp& op) const {
    if (passes(op)) {
        queue.free = m_context.now();
        return;
    }
    queue.hasPredecessor = true;
    queue.lastKind = op.kind;
    queue.lastEnd = m_context.now();
}

void StreamSet::noteEvent(const SimOp& op) {
    if (op.kind != experiment::OpKind::EventRecord)
        return;
    Event& event = m_events[op.event];
    event.done = true;
    event.doneAt = m_context.now();
    for (const std::uint32_t stream : std::exchange(event.waiting, {}))
        advance(stream);
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
