#include "window.h"

#include "clock.h"
#include "crew.h"
#include "faults.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace olab::cuda {
namespace {

using namespace std::chrono_literals;

constexpr Ns kBeat = 5'000'000'000; // interval of progress reports in a long window

/// One of its pipelines runs in the NULL stream itself.
bool hasLegacyPipeline(const experiment::Schedule& schedule, std::int32_t device) {
    return std::any_of(
        schedule.streams.begin(), schedule.streams.end(), [device](const experiment::PlannedStream& stream) {
            return stream.kind == experiment::PlannedStreamKind::Legacy && stream.device == device;
        });
}

bool usesNullStream(const experiment::Schedule& schedule, std::int32_t device) {
    return std::any_of(schedule.ops.begin(), schedule.ops.end(), [device](const experiment::Op& op) {
        return op.stream == experiment::kNullStream && op.device == device;
    });
}

} // namespace

Window::Window(const RunParts& parts, const RunControl& control, experiment::Fault fault)
    : m_parts(parts)
    , m_control(control)
    , m_fault(fault)
    , m_nextBeat(steadyNow() + kBeat) {
    m_record.traced = parts.collector != nullptr;
}

WindowRecord Window::run() {
    m_control.report(0.4, "running");
    hold();
    if (m_parts.schedule.threads == 1)
        runAlone();
    else
        runCrew();
    return finished();
}

WindowRecord Window::run(CapturedGraph& graph) {
    m_control.report(0.4, "running");
    hold();
    Issuer issuer(m_parts, 0, m_control.stop);
    m_record.begin = traceNow();
    m_parts.gate.enterCall(0, OpId{0}); // the call represents all of them
    graph.launch();
    m_parts.gate.leaveCall(0);
    open();
    for (const experiment::Op& op : m_parts.schedule.ops)
        if (op.kind == experiment::OpKind::HostSync)
            issuer.issue(op, op.id, KernelUse::Window);
    return finished();
}

WindowRecord Window::finished() {
    m_parts.devices.synchronize("finish the run");
    m_record.end = traceNow();
    return m_record;
}

/// A thread's own default stream must be blocked by that thread.
void Window::hold() {
    if (!m_parts.schedule.useGate)
        return;
    m_parts.gate.close();
    for (std::size_t i = 0; i < m_parts.pipelines.size(); ++i) {
        const experiment::PlannedStream& planned = m_parts.schedule.streams[i];
        m_parts.devices.use(planned.device);
        if (planned.kind != experiment::PlannedStreamKind::PerThread)
            m_parts.gate.hold(m_parts.pipelines[i].stream.get());
    }
    for (std::int32_t d = 0; d < m_parts.schedule.devices; ++d) {
        const bool legacy = hasLegacyPipeline(m_parts.schedule, d); // held already
        m_parts.devices.use(d);
        if (!legacy && usesNullStream(m_parts.schedule, d))
            m_parts.gate.hold(cudaStreamLegacy);
    }
}

void Window::open() {
    rehearseKernel(m_fault, m_parts.pipelines[0].stream.get());
    if (m_parts.schedule.useGate)
        m_record.begin = m_parts.gate.open();
}

/// So that a long run is not mistaken for a hung one.
void Window::beat() {
    if (const Ns now = steadyNow(); now >= m_nextBeat) {
        m_nextBeat = now + kBeat;
        m_control.report(0.4, "running");
    }
}

void Window::runAlone() {
    UnitRunner runner(
        m_parts, 0, m_control.stop, [this] { open(); }, [this] { beat(); });
    m_record.begin = traceNow();
    runner.run();
}

void Window::runCrew() {
    const std::int32_t count = m_parts.schedule.threads;
    Crew crew(count);
    const std::stop_callback forward(m_control.stop, [&crew] { crew.stop.request_stop(); });
    try {
        for (std::int32_t t = 0; t < count; ++t)
            crew.hire([this, &crew, t] { work(crew, t); });
    } catch (const std::system_error&) {
        crew.fail(std::make_exception_ptr(Error(ErrorKind::DeviceFailed, "no-thread",
                                                "The system has no thread left: " + std::to_string(count) +
                                                    " are needed, one for each stream.",
                                                "Use fewer streams, raise the limit of threads (ulimit -u), "
                                                "or issue from one (issue.threads=1).")));
    }
    awaitCrew(crew);
    if (crew.stop.stop_requested() && m_parts.schedule.useGate)
        m_parts.gate.open(); // a thread may be in a call that waits for work behind the gate
    crew.dismiss();
    m_control.throwIfCancelled();
    if (crew.failure)
        std::rethrow_exception(crew.failure);
}

void Window::awaitCrew(Crew& crew) {
    const std::stop_token stop = crew.stop.get_token();
    while (!crew.ready.awaitAll(1s, stop) && !stop.stop_requested())
        ;
    m_parts.devices.use(0);
    m_record.begin = traceNow();
    crew.ready.open();
    while (!crew.issued.awaitAll(1s, stop) && !stop.stop_requested())
        ;
    if (!stop.stop_requested())
        open();
    crew.issued.open();
    std::uint64_t before = 0;
    while (!crew.done.awaitAll(1s, stop) && !stop.stop_requested())
        if (const std::uint64_t now = crew.progress(); std::exchange(before, now) != now)
            beat();
}

void Window::work(Crew& crew, std::int32_t thread) try {
    const std::stop_token stop = crew.stop.get_token();
    const experiment::PlannedStream& own = m_parts.schedule.streams[static_cast<std::size_t>(thread)];
    auto& count = crew.counts[static_cast<std::size_t>(thread)];
    m_parts.devices.use(own.device);
    if (m_parts.schedule.useGate && own.kind == experiment::PlannedStreamKind::PerThread)
        m_parts.gate.hold(cudaStreamPerThread);
    const auto allIssued = [&] {
        crew.issued.arrive();
        if (m_parts.schedule.useGate)
            crew.issued.awaitOpen(stop);
    };
    UnitRunner runner(m_parts, thread, stop, allIssued, [&] { ++count; });
    crew.ready.arrive();
    if (crew.ready.awaitOpen(stop))
        runner.run();
    crew.done.arrive();
} catch (...) {
    crew.fail(std::current_exception());
    crew.done.arrive();
}

} // namespace olab::cuda
