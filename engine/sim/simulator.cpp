#include "simulator.h"

#include <olab/trace/error.h>

namespace olab::sim {
namespace {
constexpr std::uint64_t kCheckEvery = 4096; ///< events between two looks at the stop token
}

Simulator::Simulator(const DeviceModel& model, Program& program, std::uint64_t seed, Ns start)
    : m_program(program)
    , m_events(start)
    , m_jitter(seed)
    , m_context{model, program, m_events, m_jitter}
    , m_channels(m_context)
    , m_streams(m_context, m_channels)
    , m_compute(m_context)
    , m_copies(m_context)
    , m_worker(m_context)
    , m_host(m_context, m_streams)
    , m_start(start) {}

Outcome Simulator::run(const RunControl& control) {
    m_events.at(m_start, EventKind::HostStep, 0);
    for (std::uint64_t n = 0; !m_events.empty(); ++n) {
        if (n % kCheckEvery == 0)
            check(control);
        handle(m_events.pop());
    }
    if (!m_host.finished())
        throw Error(ErrorKind::Internal, "sim-stuck",
                    "The simulator came to a halt with " + std::to_string(m_program.ops.size() - m_finished) +
                        " operations left.",
                    "This is a fault of the simulator: please report the experiment that shows it.");
    return outcome();
}

void Simulator::check(const RunControl& control) const {
    control.throwIfCancelled();
    const auto all = static_cast<double>(m_program.ops.size());
    control.report(all > 0 ? static_cast<double>(m_finished) / all : 1.0, "simulating");
}

void Simulator::handle(const Event& e) {
    switch (e.kind) {
    case EventKind::HostStep:
        return m_host.step();
    case EventKind::HostEnqueue:
        return m_host.enqueue();
    case EventKind::GateTimer:
        return m_host.gateTimer(e.subject);
    case EventKind::Staged:
        return m_host.staged(e.subject);
    case EventKind::Ready:
        return ready(e.subject);
    case EventKind::Granted:
        return submit(e.subject);
    case EventKind::Dispatched:
        return dispatched(e.subject);
    case EventKind::WaveDone:
        return computeDone(m_compute.waveDone(e.subject));
    case EventKind::MemsetDone:
        return computeDone(m_compute.memsetDone(e.subject, e.generation));
    case EventKind::CopyDone:
        return copyDone(e);
    case EventKind::HostFnDone:
        finish(e.subject);
        return m_worker.done();
    case EventKind::EventDone:
        return finish(e.subject);
    }
}

void Simulator::ready(std::uint32_t op) {
    if (m_channels.acquire(op))
        submit(op);
    else
        m_copies.late(op);
}

void Simulator::submit(std::uint32_t op) {
    const OpKind kind = m_context.op(op).kind;
    if (isCompute(kind))
        return m_compute.submit(op);
    if (isCopy(kind))
        return m_copies.submit(op);
    if (kind == OpKind::HostFn)
        return m_worker.submit(op);
    m_context.op(op).begin = m_events.now();
    m_events.at(m_events.now(), EventKind::Dispatched, op);
    m_events.at(m_events.now(), EventKind::EventDone, op);
}

void Simulator::dispatched(std::uint32_t op) {
    m_streams.dispatched(op);
    m_host.dispatched(op);
}

void Simulator::finish(std::uint32_t op) {
    m_context.op(op).end = m_events.now();
    ++m_finished;
    m_streams.done(op);
    m_host.done(op);
}

void Simulator::computeDone(std::optional<std::uint32_t> op) {
    if (op)
        finish(*op);
    m_compute.fill();
}

void Simulator::copyDone(const Event& e) {
    const std::optional<std::uint32_t> op = m_copies.copyDone(e.subject, e.generation);
    if (!op)
        return;
    finish(*op);
    m_copies.next(e.subject, m_streams.scheduled(m_context.op(*op).stream));
}

Outcome Simulator::outcome() const {
    const Ns first = m_program.ops.empty() ? m_host.syncBegin() : m_program.ops.front().apiBegin;
    return {m_program.gate ? m_streams.gateOpenedAt() : first, m_host.syncEnd(), m_host.syncBegin(),
            m_host.syncEnd(), m_host.gateOpenedAtOp()};
}

} // namespace olab::sim
