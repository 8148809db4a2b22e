#include "backend_conformance.h"

#include <olab/experiment/plan.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <map>

namespace olab::conformance {
namespace {

constexpr ActivityIndex kAbsent = 0xffffffffu;
constexpr std::size_t kMostProblems = 20; ///< more of the same helps nobody

class Checker {
public:
    Checker(const experiment::Plan& schedule, const Trace& trace, const Tolerance& tolerance)
        : m_schedule(schedule)
        , m_trace(trace)
        , m_tolerance(tolerance)
        , m_work(schedule.ops.size(), kAbsent)
        , m_call(schedule.ops.size(), kAbsent) {}

    std::vector<std::string> all() {
        counts();
        tags();
        if (!m_problems.empty())
            return m_problems; // without tags the rest would only complain about the same thing
        streams();
        order();
        calls();
        details();
        window();
        solos();
        defects();
        return m_problems;
    }

private:
    void complain(const std::string& text) {
        if (m_problems.size() < kMostProblems)
            m_problems.push_back(text);
    }

    std::string named(OpId op) const {
        return "op " + std::to_string(op.value) + " (" +
               std::string(experiment::opKindName(m_schedule.ops[op.value].kind)) + ")";
    }

    void counts() {
        std::array<std::uint64_t, kClassCount> found{};
        for (ActivityIndex i = 0; i < m_trace.size(); ++i)
            ++found[static_cast<std::size_t>(m_trace.cls(i))];
        for (std::size_t c = 0; c < kClassCount; ++c) {
            const auto cls = static_cast<ActivityClass>(c);
            const bool planned = isDeviceClass(cls) || cls == ActivityClass::HostFn;
            if (planned && found[c] != m_schedule.expected[c])
                complain(std::to_string(found[c]) + " activities of class " + std::string(className(cls)) +
                         ", " + std::to_string(m_schedule.expected[c]) + " planned");
        }
    }

    /// Every planned activity has an op, and every op exactly one activity, of its class and size.
    void tags() {
        for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
            const Activity a = m_trace[i];
            if (isDeviceClass(a.cls) || a.cls == ActivityClass::HostFn)
                tagWork(i, a);
            else if (a.cls == ActivityClass::Api && a.op != kNoOp && a.op.value < m_call.size())
                m_call[a.op.value] = i;
        }
        for (const experiment::Op& op : m_schedule.ops)
            if (experiment::classOf(op.kind) && m_work[op.id.value] == kAbsent)
                complain(named(op.id) + " has no activity");
    }

    void tagWork(ActivityIndex i, const Activity& a) {
        if (a.op == kNoOp || a.op.value >= m_work.size())
            return complain("a " + std::string(className(a.cls)) + " activity has no op");
        if (m_work[a.op.value] != kAbsent)
            complain(named(a.op) + " has more than one activity");
        m_work[a.op.value] = i;
        const experiment::Op& op = m_schedule.ops[a.op.value];
        if (experiment::classOf(op.kind) != a.cls)
            complain(named(a.op) + " has an activity of class " + std::string(className(a.cls)));
        if (isDeviceClass(a.cls) && a.cls != ActivityClass::Kernel && a.bytes != op.bytes)
            complain(named(a.op) + " moved " + std::to_string(a.bytes) + " bytes of " +
                     std::to_string(op.bytes));
    }

    bool onNull(const experiment::Op& op) const {
        return op.stream == experiment::kNullStream ||
               m_schedule.streams[static_cast<std::size_t>(op.stream)].kind ==
                   experiment::PlannedStreamKind::Legacy;
    }
    /// Device and stream.
    using Line = std::pair<std::int32_t, std::int32_t>;
    Line lineOf(const experiment::Op& op) const {
        return {op.device, onNull(op) ? experiment::kNullStream : op.stream};
    }

    StreamKind plannedKind(const experiment::Op& op) const {
        if (onNull(op))
            return StreamKind::Null;
        const experiment::PlannedStreamKind kind =
            m_schedule.streams[static_cast<std::size_t>(op.stream)].kind;
        return kind == experiment::PlannedStreamKind::NonBlocking ? StreamKind::NonBlocking
                                                                  : StreamKind::Blocking;
    }

    /// Each planned stream in one of its own, of the kind that was asked for. The branches of a graph go to
    /// streams of the driver's choice: of them only the order is compared.
    void streams() {
        if (experiment::optionText(m_schedule.experiment, "submit") == "graph")
            return;
        std::map<Line, QueueId> queueOf;
        std::map<QueueId, Line> lineIn;
        for (const experiment::Op& op : m_schedule.ops) {
            const auto cls = experiment::classOf(op.kind);
            if (!cls || !isDeviceClass(*cls))
                continue;
            const QueueId queue = m_trace[m_work[op.id.value]].queue;
            if (queueOf.try_emplace(lineOf(op), queue).first->second != queue ||
                lineIn.try_emplace(queue, lineOf(op)).first->second != lineOf(op))
                complain(named(op.id) + " ran in another stream than planned");
            if (m_trace.queue(queue).streamKind != plannedKind(op))
                complain(named(op.id) + " ran in a stream of kind " +
                         std::string(streamKindName(m_trace.queue(queue).streamKind)));
        }
    }

    bool isHost(OpId op) const {
        return m_schedule.ops[op.value].kind == experiment::OpKind::HostFn ||
               m_schedule.ops[op.value].kind == experiment::OpKind::HostSync;
    }

    /// Nothing starts before what it waits for has ended. Ops without an activity (events, waits) end when
    /// all that they wait for has.
    void order() {
        std::vector<Ns> ended(m_schedule.ops.size(), 0);
        for (const experiment::Op& op : m_schedule.ops)
            if (m_work[op.id.value] != kAbsent)
                ended[op.id.value] = m_trace.time(m_work[op.id.value]).end;
        for (const experiment::Edge& edge : experiment::dependencies(m_schedule)) {
            const Ns before = ended[edge.before.value];
            const ActivityIndex work = m_work[edge.after.value];
            if (work == kAbsent) {
                ended[edge.after.value] = std::max(ended[edge.after.value], before);
                continue;
            }
            const bool sameClock = !isHost(edge.before) && !isHost(edge.after);
            const Ns begin = m_trace.time(work).begin;
            if (begin + (sameClock ? m_tolerance.device : m_tolerance.hostToDevice) < before)
                complain(named(edge.after) + " starts " + std::to_string(before - begin) + " ns before " +
                         named(edge.before) + " ended");
        }
    }

    /// What the trace must show a call for. A graph is launched by one for all.
    bool hasCall(const experiment::Op& op) const {
        if (experiment::optionText(m_schedule.experiment, "submit") == "graph")
            return false;
        return experiment::classOf(op.kind) || op.kind == experiment::OpKind::NullEvent ||
               op.kind == experiment::OpKind::EventRecord || op.kind == experiment::OpKind::EventWait;
    }

    /// Each op was issued by a call that the trace shows, in issue order of its thread, and starts no
    /// earlier.
    void calls() {
        std::vector<Ns> latest(static_cast<std::size_t>(m_schedule.threads), 0);
        const bool dynamic = experiment::optionText(m_schedule.experiment, "issue") == "on-callback" &&
                             m_schedule.threads == 1;
        for (const experiment::IssueUnit& unit : m_schedule.units) {
            Ns& last = latest[static_cast<std::size_t>(unit.thread)];
            if (dynamic)
                last = 0; // which unit comes next is decided by what ends first
            for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i)
                if (hasCall(m_schedule.ops[i]))
                    call(m_schedule.ops[i], last);
        }
    }

    void call(const experiment::Op& op, Ns& latest) {
        const ActivityIndex call = m_call[op.id.value];
        if (call == kAbsent)
            return complain(named(op.id) + " has no API call");
        const Ns begin = m_trace.time(call).begin;
        if (begin < latest)
            complain(named(op.id) + " was issued before the op before it");
        latest = begin;
        if (m_work[op.id.value] != kAbsent &&
            m_trace.time(m_work[op.id.value]).begin + m_tolerance.hostToDevice < begin)
            complain(named(op.id) + " starts before its API call");
    }

    void details() {
        for (const experiment::Op& op : m_schedule.ops) {
            const ActivityIndex i = m_work[op.id.value];
            if (i == kAbsent)
                continue;
            if (op.kind == experiment::OpKind::Kernel)
                geometry(op.id, i);
            else if (op.kind == experiment::OpKind::CopyH2D)
                memory(op.id, m_trace[i].source, op.memory);
            else if (op.kind == experiment::OpKind::CopyD2H)
                memory(op.id, m_trace[i].target, op.memory);
        }
    }

    void memory(OpId op, MemoryKind found, experiment::HostMemory asked) {
        const MemoryKind kind =
            asked == experiment::HostMemory::Pageable ? MemoryKind::Pageable : MemoryKind::Pinned;
        if (found != kind)
            complain(named(op) + " used " + std::string(memoryKindName(found)) + " host memory");
    }

    void geometry(OpId op, ActivityIndex i) {
        const KernelGeometry* g = m_trace.geometry(i);
        if (!g)
            return complain(named(op) + " has no geometry");
        if (g->threads() != m_schedule.kernel.threads)
            complain(named(op) + " has " + std::to_string(g->threads()) + " threads a block");
        const experiment::BlockCount wanted = m_schedule.kernel.blocks;
        const bool fits =
            wanted.fill ? g->blocks() % wanted.fill == 0 && g->blocks() > 0 : g->blocks() == wanted.blocks;
        if (!fits)
            complain(named(op) + " has " + std::to_string(g->blocks()) + " blocks");
    }

    void window() {
        if (m_trace.windows().size() != 1)
            return complain(std::to_string(m_trace.windows().size()) + " measured windows");
        const WindowRecord& w = m_trace.windows().front();
        if (w.end <= w.begin)
            complain("the measured window is empty");
        const Interval span = m_trace.deviceSpan();
        if (span.begin + m_tolerance.hostToDevice < w.begin || span.end > w.end + m_tolerance.hostToDevice)
            complain("device work lies outside the measured window");
    }

    void solos() {
        if (m_trace.solos().size() != m_schedule.solos.size())
            return complain(std::to_string(m_trace.solos().size()) + " solo runs of " +
                            std::to_string(m_schedule.solos.size()));
        for (std::uint32_t i = 0; const SoloRecord& s : m_trace.solos()) {
            const experiment::SoloOp& planned = m_schedule.solos[i];
            const bool kernel = s.cls == ActivityClass::Kernel;
            if (s.solo != i || experiment::classOf(planned.kind) != s.cls || s.bytes != planned.bytes ||
                s.samples == 0)
                complain("solo run " + std::to_string(i) + " is of something else");
            if (s.duration <= 0 || (kernel && (s.blocks == 0 || s.residentBlocks == 0)))
                complain("solo run " + std::to_string(i) + " measured nothing");
            ++i;
        }
    }

    void defects() {
        for (const Defect& d : m_trace.defects())
            if (d.severity() != Severity::Notice &&
                !(d.code == DefectCode::DataMismatch && mayRace(m_schedule.experiment)))
                complain("defect " + std::string(defectRow(d.code).id) + ": " + d.text());
        if (m_trace.counts().refused != 0)
            complain(std::to_string(m_trace.counts().refused) + " records refused");
    }

    const experiment::Plan& m_schedule;
    const Trace& m_trace;
    Tolerance m_tolerance;
    std::vector<ActivityIndex> m_work, m_call; ///< per op: its activity, its API call
    std::vector<std::string> m_problems;
};

} // namespace

bool mayRace(const experiment::Experiment& e) {
    if (experiment::optionText(e, "stream.roles") == "no-free-event")
        return true;
    if (experiment::optionText(e, "buffers") == "shared" && experiment::optionNumber(e, "streams") > 1)
        return true;
    if (!(experiment::optionText(e, "kernel") == "on") ||
        experiment::optionText(e, "kernel.stream") == "own" ||
        experiment::optionText(e, "deps") == "copy-to-kernel")
        return false;
    return experiment::optionText(e, "kernel.stream") == "other" ||
           experiment::optionText(e, "stream.kind") == "nonblocking";
}

Trace execute(experiment::Backend& backend, const experiment::Plan& schedule,
              const experiment::RunOptions& options) {
    TraceBuilder builder;
    backend.run(schedule, options, builder, {});
    return builder.finish();
}

std::vector<std::string> problems(const experiment::Plan& schedule, const Trace& trace,
                                  const Tolerance& tolerance) {
    return Checker(schedule, trace, tolerance).all();
}

} // namespace olab::conformance
