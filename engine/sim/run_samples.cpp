#include "run_samples.h"

#include "scaled.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

#include "program.h"

#include <algorithm>
#include <array>
#include <map>

namespace olab::sim {
namespace {

constexpr Ns kLongCall =
    1'000'000; ///< a call this long was blocked by something; it says nothing about its cost
constexpr Ns kIdleBefore = 20'000; ///< a stream that was idle for this long does not delay an op by a hop
constexpr int kMostStreams = 8;    ///< with more, streams wait for each other's hardware channel

enum SampledUnit : std::uint8_t { UnitH2d, UnitD2h, UnitCompute, UnitWorker, UnitCount };

SampledUnit unitOf(experiment::OpKind kind) {
    if (isCopy(kind))
        return kind == experiment::OpKind::CopyH2D ? UnitH2d : UnitD2h;
    return isCompute(kind) ? UnitCompute : UnitWorker;
}

struct OpTimes {
    Ns apiBegin = 0, apiEnd = 0, begin = 0, end = 0;
    Ns unitBusyUntil = 0; ///< end of the op that its unit started before it
    bool hasCall = false, hasWork = false;
};

class Reader {
public:
    explicit Reader(const CalibrationRun& run)
        : m_run(run)
        , m_schedule(experiment::plan(run.experiment, static_cast<int>(run.trace.devices().size())))
        , m_ops(m_schedule.ops.size()) {
        m_out.streams = run.experiment.streams;
        if (!run.trace.windows().empty())
            m_window = run.trace.windows().front();
    }

    RunSamples read() {
        gather();
        solos();
        if (!isPlain())
            return std::move(m_out); // its times cannot be separated here
        calls();
        copies(experiment::OpKind::CopyH2D, m_out.h2dPinned, m_out.h2dPageable);
        copies(experiment::OpKind::CopyD2H, m_out.d2hPinned, m_out.d2hPageable);
        if (m_run.experiment.streams <= kMostStreams)
            chains();
        if (hasBarriers())
            barriers();
        ends();
        return std::move(m_out);
    }

private:
    /// Only the options that the model is calibrated for: each of the others adds its own time to calls, hops
    /// or copies.
    bool isPlain() const {
        const experiment::Experiment& e = m_run.experiment;
        const bool issued =
            e.issue == experiment::IssueMode::Ahead && e.issueThreads == experiment::IssueThreads::One &&
            e.api == experiment::Api::Runtime && e.submit == experiment::Submit::Stream && !e.launchBlocking;
        const bool waits = e.syncEvery == experiment::SyncEvery::End && e.syncAt == experiment::SyncAt::End &&
                           e.sync == experiment::SyncMode::Device && e.deps == experiment::Deps::None &&
                           e.interfere == experiment::Interfere::None;
        const bool streams = e.kernelStream == experiment::KernelStream::Own &&
                             e.streamPriority == experiment::StreamPriority::Equal &&
                             e.devices == experiment::DeviceUse::One;
        const bool steps = e.callbackMethod == experiment::CallbackMethod::HostFn && e.callbackUs == 0 &&
                           e.h2dTarget == experiment::CopyTarget::Global;
        return issued && waits && streams && steps;
    }
    bool hasBarriers() const {
        const experiment::Experiment& e = m_run.experiment;
        return e.nullOp != experiment::NullOp::Off && e.streamKind == experiment::PlannedStreamKind::Blocking;
    }
    bool isPageable(experiment::OpKind kind) const {
        const experiment::Experiment& e = m_run.experiment;
        return (kind == experiment::OpKind::CopyH2D && e.h2dMemory == experiment::HostMemory::Pageable) ||
               (kind == experiment::OpKind::CopyD2H && e.d2hMemory == experiment::HostMemory::Pageable);
    }
    bool isInline(const experiment::Op& op) const {
        return op.kind == experiment::OpKind::CopyH2D && op.bytes <= DeviceModel{}.pageableInlineBytes;
    }

    void gather() {
        std::array<Ns, UnitCount> busy{};
        for (ActivityIndex i = 0; i < m_run.trace.size(); ++i) {
            const Activity a = m_run.trace[i];
            if (a.op.value >= m_ops.size())
                continue;
            OpTimes& op = m_ops[a.op.value];
            if (a.cls == ActivityClass::Api)
                call(op, a);
            else if (isDeviceClass(a.cls) || a.cls == ActivityClass::HostFn)
                work(op, a, busy[unitOf(m_schedule.ops[a.op.value].kind)]);
        }
    }

    static void call(OpTimes& op, const Activity& a) {
        op.apiBegin = a.begin;
        op.apiEnd = a.end;
        op.hasCall = true;
    }

    /// A staged pageable copy may be several records.
    static void work(OpTimes& op, const Activity& a, Ns& unitBusy) {
        if (!op.hasWork) {
            op.begin = a.begin;
            op.unitBusyUntil = unitBusy;
        }
        op.end = std::max(op.end, a.end);
        op.hasWork = true;
        unitBusy = std::max(unitBusy, a.end);
    }

    void solos() {
        for (const SoloRecord& solo : m_run.trace.solos()) {
            if (solo.solo >= m_schedule.solos.size() || solo.duration <= 0)
                continue;
            const experiment::OpKind kind = m_schedule.solos[solo.solo].kind;
            if (isMemset(kind))
                m_out.soloMemset.push_back({solo.bytes, solo.duration});
            else if (kind == experiment::OpKind::NullKernel)
                m_out.soloNullKernel.push_back(solo.duration);
            else if (isCopy(kind) && !isPageable(kind))
                (kind == experiment::OpKind::CopyH2D ? m_out.soloH2dPinned : m_out.soloD2hPinned)
                    .push_back({solo.bytes, solo.duration});
        }
    }

    std::vector<Ns>* costOf(const experiment::Op& op) {
        const experiment::OpKind kind = op.kind;
        switch (kind) {
        case experiment::OpKind::CopyH2D:
        case experiment::OpKind::CopyD2H:
            return isPageable(kind) ? nullptr : &m_out.issueCopy;
        case experiment::OpKind::Memset:
        case experiment::OpKind::NullMemset:
            return op.bytes <= kSmallMemset ? &m_out.issueSmallMemset : &m_out.issueMemset;
        case experiment::OpKind::Kernel:
        case experiment::OpKind::NullKernel:
            return &m_out.issueKernel;
        case experiment::OpKind::HostFn:
            return &m_out.issueHostFn;
        case experiment::OpKind::NullEvent:
            return &m_out.issueEvent;
        default:
            return nullptr;
        }
    }

    void calls() {
        for (std::size_t i = 0; i < m_ops.size(); ++i) {
            const OpTimes& op = m_ops[i];
            if (!op.hasCall)
                continue;
            std::vector<Ns>* cost = costOf(m_schedule.ops[i]);
            const bool sameStream = i > 0 && m_schedule.ops[i].stream == m_schedule.ops[i - 1].stream;
            const Ns more = sameStream ? 0 : DeviceModel{}.streamSwitch;
            if (cost && op.apiEnd - op.apiBegin < kLongCall)
                cost->push_back(std::max<Ns>(op.apiEnd - op.apiBegin - more, 0));
            if (i > 0 && cost && m_ops[i - 1].hasCall && op.apiBegin >= m_ops[i - 1].apiEnd)
                m_out.hostGap.push_back(op.apiBegin - m_ops[i - 1].apiEnd);
        }
    }

    /// Copies of one direction in the order of their engine.
    std::vector<std::uint32_t> inOrder(experiment::OpKind kind) const {
        std::vector<std::uint32_t> found;
        for (const experiment::Op& op : m_schedule.ops)
            if (op.kind == kind && m_ops[op.id.value].hasWork)
                found.push_back(op.id.value);
        std::sort(found.begin(), found.end(),
                  [this](auto a, auto b) { return m_ops[a].begin < m_ops[b].begin; });
        return found;
    }

    void copies(experiment::OpKind kind, std::vector<CopySample>& pinned, std::vector<CopySample>& pageable) {
        const auto others = inOrder(kind == experiment::OpKind::CopyH2D ? experiment::OpKind::CopyD2H
                                                                        : experiment::OpKind::CopyH2D);
        std::size_t next = 0;
        for (const std::uint32_t i : inOrder(kind)) {
            const OpTimes& op = m_ops[i];
            while (next < others.size() && m_ops[others[next]].end <= op.begin)
                ++next;
            Ns both = 0;
            for (std::size_t k = next; k < others.size() && m_ops[others[k]].begin < op.end; ++k)
                both += std::min(op.end, m_ops[others[k]].end) - std::max(op.begin, m_ops[others[k]].begin);
            both = std::clamp<Ns>(both, 0, op.end - op.begin);
            (isPageable(kind) ? pageable : pinned)
                .push_back({m_schedule.ops[i].bytes, op.end - op.begin - both, both,
                            m_schedule.ops[i].bytes * m_run.experiment.streams});
        }
    }

    void chains() {
        std::map<std::int32_t, std::uint32_t> last; // by pipeline
        for (const experiment::Op& op : m_schedule.ops) {
            const OpTimes& times = m_ops[op.id.value];
            if (!times.hasWork || !times.hasCall)
                continue;
            const auto before = last.find(op.pipeline);
            const Ns streamFree = before == last.end() ? 0 : m_ops[before->second].end;
            if (before != last.end() && !mayWaitForOthers())
                link(m_schedule.ops[before->second], op, streamFree);
            fresh(op, streamFree);
            last[op.pipeline] = op.id.value;
        }
    }

    bool mayWaitForOthers() const {
        const experiment::Experiment& e = m_run.experiment;
        return e.streamKind == experiment::PlannedStreamKind::Legacy ||
               (e.nullOp != experiment::NullOp::Off &&
                e.streamKind != experiment::PlannedStreamKind::NonBlocking);
    }

    /// The time between an op and its successor, if only the hop separates them.
    void link(const experiment::Op& from, const experiment::Op& to, Ns streamFree) {
        const OpTimes& times = m_ops[to.id.value];
        const bool issued = isPageable(to.kind) && to.kind == experiment::OpKind::CopyD2H
                                ? times.apiBegin <= streamFree
                                : times.apiEnd <= streamFree;
        if (!issued || times.unitBusyUntil > streamFree || times.begin < streamFree)
            return;
        const Ns gap = times.begin - streamFree;
        const bool same = from.kind == to.kind || (isCompute(from.kind) && isCompute(to.kind));
        if (to.kind == experiment::OpKind::HostFn)
            callbackIn(gap, times.unitBusyUntil, streamFree);
        else if (from.kind == experiment::OpKind::HostFn)
            m_out.callbackOut.push_back(gap);
        else
            (same ? m_out.hopSame : m_out.hopOther).push_back(gap);
    }

    /// As it would be after the usual idle time.
    void callbackIn(Ns gap, Ns lastFunction, Ns streamFree) {
        DeviceModel unit;
        unit.callbackIn = 1'000'000;
        if (lastFunction > 0)
            m_out.callbackIn.push_back(
                scaled(gap, unit.callbackIn, callbackDelay(unit, streamFree - lastFunction)));
    }

    /// An op whose stream and unit are idle starts when its call has submitted it.
    void fresh(const experiment::Op& op, Ns streamFree) {
        const OpTimes& times = m_ops[op.id.value];
        pageableEnds(op, times);
        const Ns idleSince = std::max({streamFree + kIdleBefore, times.unitBusyUntil, m_window.begin});
        if (op.kind == experiment::OpKind::HostFn || times.apiBegin < idleSince || mayWaitForOthers())
            return;
        if (!isPageable(op.kind))
            m_out.submit.push_back(std::max<Ns>(times.begin - times.apiEnd, 0));
        else if (op.kind == experiment::OpKind::CopyH2D && !isInline(op))
            m_out.pageableSetup.push_back(std::max<Ns>(times.begin - times.apiBegin, 0));
    }

    void pageableEnds(const experiment::Op& op, const OpTimes& times) {
        if (!isPageable(op.kind) || isInline(op))
            return;
        if (op.kind == experiment::OpKind::CopyD2H)
            m_out.pageableReturn.push_back(std::max<Ns>(times.apiEnd - times.end, 0));
        else
            m_out.pageableLead.push_back(std::max<Ns>(times.end - times.apiEnd, 0));
    }

    /// Around each NULL-stream op: the last end before it, and the first start after it.
    void barriers() {
        Ns blockingEnd = 0, nullEnd = 0, firstAfter = 0;
        for (const experiment::Op& op : m_schedule.ops) {
            const OpTimes& times = m_ops[op.id.value];
            if (!times.hasWork)
                continue;
            if (op.pipeline != experiment::kNullStream) {
                if (nullEnd != 0 && times.begin >= nullEnd && op.kind != experiment::OpKind::HostFn)
                    firstAfter = firstAfter == 0 ? times.begin : std::min(firstAfter, times.begin);
                blockingEnd = std::max(blockingEnd, times.end);
                continue;
            }
            if (nullEnd != 0 && firstAfter != 0)
                m_out.barrier.push_back(firstAfter - nullEnd);
            if (times.apiEnd < blockingEnd && times.begin >= blockingEnd)
                m_out.barrier.push_back(times.begin - blockingEnd);
            nullEnd = times.end;
            firstAfter = 0;
        }
    }

    void ends() {
        Ns first = 0, last = 0;
        for (std::size_t i = 0; i < m_ops.size(); ++i) {
            const OpTimes& op = m_ops[i];
            if (!op.hasWork)
                continue;
            last = std::max(last, op.end);
            if (m_schedule.ops[i].kind == experiment::OpKind::HostFn)
                m_out.callbackWork.push_back(op.end - op.begin);
            else
                first = first == 0 ? op.begin : std::min(first, op.begin);
        }
        if (m_window.end > last && last != 0)
            m_out.syncWake.push_back(m_window.end - last);
        const bool early = std::ranges::any_of(
            m_run.trace.defects(), [](const Defect& d) { return d.code == DefectCode::GateOpenedEarly; });
        if (m_schedule.useGate && !early && first > m_window.begin)
            m_out.gate.push_back(first - m_window.begin);
    }

    const CalibrationRun& m_run;
    experiment::Schedule m_schedule;
    std::vector<OpTimes> m_ops;
    WindowRecord m_window;
    RunSamples m_out;
};

} // namespace

RunSamples samplesOf(const CalibrationRun& run) {
    return Reader(run).read();
}

} // namespace olab::sim
