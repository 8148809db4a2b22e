#include "window.h"

#include "clock.h"
#include "crew.h"
#include "faults.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace olab::cuda {

CapturedGraph::CapturedGraph(const RunParts& parts, const std::stop_token& stop)
    : m_parts(parts) {
    try {
        // Relaxed: no other thread of this process makes calls that could invalidate a capture.
        check(cudaStreamBeginCapture(stream(0), cudaStreamCaptureModeRelaxed), "begin to capture");
        m_capturing = true;
        fork();
        issueAll(stop);
        join();
        end();
    } catch (...) {
        destroy();
        throw;
    }
}

CapturedGraph::~CapturedGraph() {
    destroy();
}

void CapturedGraph::destroy() noexcept {
    if (m_capturing)
        cudaStreamEndCapture(stream(0), &m_graph); // it is unusable now, but must be ended
    if (m_exec)
        cudaGraphExecDestroy(m_exec);
    if (m_graph)
        cudaGraphDestroy(m_graph);
}

void CapturedGraph::fork() {
    const EventHandle forked(cudaEventDisableTiming);
    check(cudaEventRecord(forked.get(), stream(0)), "fork the capture");
    for (std::size_t i = 1; i < m_parts.pipelines.size(); ++i)
        check(cudaStreamWaitEvent(stream(i), forked.get(), 0), "fork the capture");
}

void CapturedGraph::issueAll(const std::stop_token& stop) {
    Issuer issuer(m_parts, 0, stop);
    for (const experiment::Op& op : m_parts.schedule.ops) {
        if (stop.stop_requested())
            throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
        if (op.kind == experiment::OpKind::HostSync)
            continue; // the host waits for the launched graph, not for its capture
        issuer.issue(op, op.id, KernelUse::Window);
        if (m_parts.collector && experiment::classOf(op.kind))
            tagNode(op);
    }
}

/// The op just issued is the dependency of the next one in its stream.
void CapturedGraph::tagNode(const experiment::Op& op) {
    cudaStreamCaptureStatus status{};
    const cudaGraphNode_t* last = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(m_parts.pipelines.streamOf(op).stream, &status, nullptr, nullptr, &last,
                                   nullptr, &count),
          "look at the capture");
    if (count == 1)
        m_parts.collector->tagNode(last[0], op.id);
}

void CapturedGraph::join() {
    const EventHandle joined(cudaEventDisableTiming);
    for (std::size_t i = 1; i < m_parts.pipelines.size(); ++i) {
        check(cudaEventRecord(joined.get(), stream(i)), "join the capture");
        check(cudaStreamWaitEvent(stream(0), joined.get(), 0), "join the capture");
    }
}

void CapturedGraph::end() {
    m_capturing = false;
    check(cudaStreamEndCapture(stream(0), &m_graph), "end the capture");
    check(cudaGraphInstantiate(&m_exec, m_graph, 0), "instantiate the graph");
    check(cudaGraphUpload(m_exec, stream(0)), "upload the graph");
    check(cudaStreamSynchronize(stream(0)), "upload the graph");
}

void CapturedGraph::launch() {
    check(cudaGraphLaunch(m_exec, stream(0)), "launch the graph");
}

namespace {

constexpr Ns kPatience = 1'000'000'000; // without a report, before the device is checked for errors

} // namespace

UnitRunner::UnitRunner(const RunParts& parts, std::int32_t thread, std::stop_token stop,
                       std::function<void()> beforeWaiting, std::function<void()> between)
    : m_parts(parts)
    , m_thread(thread)
    , m_stop(stop)
    , m_beforeWaiting(std::move(beforeWaiting))
    , m_between(std::move(between))
    , m_issuer(parts, thread, std::move(stop)) {
    for (const experiment::IssueUnit& unit : parts.schedule.units) {
        if (unit.thread != thread)
            continue;
        m_units.push_back(&unit);
        if (unit.awaits != kNoOp)
            m_unitAwaiting.emplace(unit.awaits.value, &unit);
    }
}

void UnitRunner::run() {
    for (std::size_t i = 0; i < m_units.size();) {
        if (m_units[i]->awaits != kNoOp)
            i = react(i);
        else
            issue(*m_units[i++]);
    }
    noteWaiting();
}

/// Units that await callbacks are independent: takes them in the order of the reports.
std::size_t UnitRunner::react(std::size_t first) {
    std::size_t end = first;
    while (end < m_units.size() && m_units[end]->awaits != kNoOp)
        ++end;
    for (std::size_t left = end - first; left > 0;) {
        const auto found = m_unitAwaiting.find(nextReport().value);
        if (found == m_unitAwaiting.end())
            continue; // a last pass, without a successor
        issue(*found->second);
        --left;
    }
    return end;
}

OpId UnitRunner::nextReport() {
    Mailbox& mailbox = m_parts.functions.mailbox(m_thread);
    for (OpId op;;) {
        switch (mailbox.take(op, kPatience, m_stop)) {
        case Mailbox::Wake::Post:
            return op;
        case Mailbox::Wake::Time:
            throwIfDeviceFailed(); // if so, no callback will ever come
            break;
        case Mailbox::Wake::Stop:
            throwIfStopped();
        }
    }
}

void UnitRunner::throwIfDeviceFailed() const {
    const auto stream = m_parts.pipelines[static_cast<std::size_t>(m_thread)].stream.get();
    const cudaError_t status = cudaStreamQuery(stream);
    if (status != cudaErrorNotReady)
        check(status, "wait for a callback");
}

void UnitRunner::throwIfStopped() const {
    if (m_stop.stop_requested())
        throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
}

void UnitRunner::noteWaiting() {
    if (!m_waiting && m_beforeWaiting)
        m_beforeWaiting();
    m_waiting = true;
}

void UnitRunner::issue(const experiment::IssueUnit& unit) {
    for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i) {
        throwIfStopped();
        const experiment::Op& op = m_parts.schedule.ops[i];
        if (op.kind == experiment::OpKind::HostSync)
            noteWaiting();
        m_issuer.issue(op, op.id, KernelUse::Window);
    }
    if (m_between)
        m_between();
}

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
