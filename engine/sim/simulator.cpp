#include "simulator.h"

#include <olab/trace/error.h>

#include <algorithm>

namespace olab::sim {
namespace {

/// Adds to `row` if it is a kernel of another stream. With kernels on the NULL stream, or a host that waits
/// for each, nothing runs concurrently anyway.
bool joins(const Program& program, std::uint32_t first, std::uint32_t op) {
    const SimOp& o = program.ops[op];
    const bool loads =
        o.kind == experiment::OpKind::InterfereKernel; // its launch may wait for those before it
    if (!isKernel(o.kind) || loads || program.isNull(o.stream) || o.thread != program.ops[first].thread)
        return false;
    for (std::uint32_t i = first; i < op; ++i)
        if (program.ops[i].stream == o.stream || program.ops[i].device != o.device)
            return false;
    return true;
}

} // namespace

KernelSignals::KernelSignals(const Context& context) {
    const Program& program = context.program;
    if (!context.model.delayedSignals || program.process.launchBlocking)
        return;
    const auto count = static_cast<std::uint32_t>(program.ops.size());
    m_rowOf.assign(count, kNone);
    for (std::uint32_t first = 0; first < count;) {
        std::uint32_t end = first;
        while (end < count && joins(program, first, end))
            ++end;
        if (end > first + 1) {
            std::fill(m_rowOf.begin() + first, m_rowOf.begin() + end,
                      static_cast<std::uint32_t>(m_rows.size()));
            m_rows.push_back({first, end - first, end - first});
        }
        first = std::max(end, first + 1);
    }
}

std::vector<std::uint32_t> KernelSignals::ended(std::uint32_t op) {
    if (m_rowOf.empty() || m_rowOf[op] == kNone)
        return {op};
    Row& row = m_rows[m_rowOf[op]];
    if (--row.left > 0)
        return {};
    std::vector<std::uint32_t> all(row.count);
    for (std::uint32_t i = 0; i < row.count; ++i)
        all[i] = row.first + i;
    return all;
}

namespace {
constexpr std::uint64_t kCheckEvery = 4096; ///< events between two checks of the stop token
}

Simulator::Simulator(const DeviceModel& model, Program& program, std::uint64_t seed, Ns start)
    : m_program(program)
    , m_events(start)
    , m_jitter(seed)
    , m_context{model, program, m_events, m_jitter}
    , m_channels(m_context)
    , m_queues(m_context)
    , m_streams(m_context, m_channels, m_queues)
    , m_submitter(m_context, m_streams)
    , m_lock(m_context)
    , m_links(m_context)
    , m_copies(m_context, m_links)
    , m_signals(m_context)
    , m_watcher(m_context)
    , m_host(m_context, m_streams, m_submitter, m_lock)
    , m_start(start) {
    for (std::uint32_t device = 0; device < program.devices; ++device) {
        m_compute.emplace_back(m_context, m_links, device);
        m_workers.emplace_back(m_context, m_lock, device);
    }
    m_host.onWatched([this](std::uint32_t op) { m_watcher.watch(op); });
}

Outcome Simulator::run(const RunControl& control) {
    m_host.start();
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
    const std::uint32_t device = e.subject % m_program.devices, slot = e.subject / m_program.devices;
    switch (e.kind) {
    case EventKind::HostStep:
        return m_host.step(e.subject);
    case EventKind::HostEnqueue:
        return m_host.enqueue(e.subject);
    case EventKind::LockGranted:
        return lockGranted(e.subject);
    case EventKind::GateTimer:
        return m_host.gateTimer(e.subject);
    case EventKind::BatchTimer:
        return m_submitter.timer(e.generation);
    case EventKind::Staged:
        return m_host.staged(e.subject);
    case EventKind::Ready:
        return ready(e.subject);
    case EventKind::Granted:
        return granted(e.subject);
    case EventKind::Called:
        return submit(e.subject);
    case EventKind::Dispatched:
        return dispatched(e.subject);
    case EventKind::WaveDone:
        return computeDone(device, m_compute[device].waveDone(slot, e.generation));
    case EventKind::MemsetDone:
        return computeDone(device, m_compute[device].memsetDone(slot, e.generation));
    case EventKind::FlowDone:
        return flowDone(e);
    case EventKind::CopyDone:
        return copyDone(e.subject);
    case EventKind::HostFnDone:
        return hostFnDone(e.subject);
    case EventKind::Watched:
        return m_watcher.noticed(e.subject);
    case EventKind::WatchDone:
        return watchDone(e.subject);
    case EventKind::EventDone:
        return finish(e.subject);
    }
}

void Simulator::lockGranted(std::uint32_t who) {
    if (who < m_program.threads)
        m_host.lockGranted(who);
    else
        m_workers[who - m_program.threads].lockGranted();
}

void Simulator::ready(std::uint32_t op) {
    if (m_queues.mayGo(op))
        granted(op);
    else
        m_copies.late(op);
}

/// From here on the system handles a host function: it takes a while until its thread gets it.
void Simulator::granted(std::uint32_t op) {
    if (m_context.op(op).unit != Unit::Worker)
        return submit(op);
    const Ns delay = m_context.latency(m_workers[m_context.op(op).device].call());
    m_context.events.at(m_events.now() + delay, EventKind::Called, op);
}

void Simulator::submit(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    if (o.unit == Unit::Compute)
        return m_compute[o.device].submit(op);
    if (isCopyUnit(o.unit))
        return m_copies.submit(op);
    if (o.unit == Unit::Worker)
        return m_workers[o.device].submit(op);
    m_context.op(op).begin = m_events.now();
    m_events.at(m_events.now(), EventKind::Dispatched, op);
    m_events.at(m_events.now(), EventKind::EventDone, op);
}

void Simulator::dispatched(std::uint32_t op) {
    m_streams.dispatched(op);
    m_host.dispatched(op);
}

/// `op` has ended. Unless the device delays the signal, its dependents are notified.
void Simulator::finish(std::uint32_t op) {
    m_context.op(op).end = m_events.now();
    ++m_finished;
    m_queues.done(op);
    if (!m_signals.inUse())
        return complete(op);
    for (const std::uint32_t signalled : m_signals.ended(op))
        complete(signalled);
}

void Simulator::complete(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    m_streams.done(op);
    m_host.done(op);
    if (o.kind == experiment::OpKind::HostFn && o.unit == Unit::Nothing)
        m_watcher.reached(op);
    m_submitter.idle();
}

void Simulator::hostFnDone(std::uint32_t op) {
    finish(op);
    m_workers[m_context.op(op).device].done(op);
    m_host.reported(op);
}

void Simulator::watchDone(std::uint32_t op) {
    m_context.op(op).end = m_events.now();
    m_watcher.done();
    m_host.reported(op);
}

void Simulator::computeDone(std::uint32_t device, std::optional<std::uint32_t> op) {
    if (op)
        finish(*op);
    m_compute[device].fill();
}

void Simulator::flowDone(const Event& e) {
    const std::optional<Flow> flow = m_links.done(e.subject, e.generation);
    if (!flow)
        return;
    if (flow->use == FlowUse::Copy)
        return copyDone(flow->subject);
    computeDone(flow->device, m_compute[flow->device].moved(*flow));
}

void Simulator::copyDone(std::uint32_t engine) {
    const std::uint32_t op = m_copies.copyDone(engine);
    finish(op);
    const bool inOrder = m_queues.inUse();
    m_copies.next(engine, inOrder ? kNone : m_streams.scheduled(m_context.op(op).stream));
}

/// As on a GPU the window ends when the device has been waited for: what the host does after an event that it
/// watches may end later.
Outcome Simulator::outcome() const {
    Outcome out{m_start, m_host.end(), m_host.gateOpenedAtOp()};
    for (const SimOp& op : m_program.ops)
        if (op.kind != experiment::OpKind::HostFn || !experiment::watchesEvent(op.callback))
            out.windowEnd = std::max(out.windowEnd, op.end);
    if (m_program.gate)
        out.windowBegin = m_streams.gateOpenedAt();
    return out;
}

} // namespace olab::sim
