#include "solos.h"

#include "clock.h"

#include <olab/kernels/small_kernels.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace olab::cuda {
namespace {

constexpr Ns kWarmFor = 30'000'000; // of work, so that the clocks have ramped up before the measurement
constexpr Ns kNullKernel =
    1'000; // an empty kernel's own duration; the rest of an event pair around it is event overhead
constexpr int kMaxSteps = 12;
constexpr std::int64_t kFirstLoops = 64;
constexpr std::size_t kSamples = 5;

/// Measures the time between two events around one launch; all three are queued behind the gate, so no host
/// time is included.
class Stopwatch {
public:
    Stopwatch(Pipelines& pipelines, Gate& gate)
        : m_what(&pipelines.on(0).kernel())
        , m_pipelines(pipelines)
        , m_gate(gate)
        , m_stream(cudaStreamNonBlocking) {
        m_overhead =
            std::max<Ns>(0, median([this] {
                                return kernels::launch(kernels::nullLaunch(), nullptr, m_stream.get());
                            }) - kNullKernel);
    }
    Ns kernel(std::int64_t loops) {
        const Ns measured = median([this, loops] { return launch(loops); });
        return std::max<Ns>(1, measured - m_overhead);
    }
    /// The launch to time from now on; it must stay valid.
    void use(const kernels::Launch& what) { m_what = &what; }
    void warmUp() {
        const Ns until = steadyNow() + kWarmFor;
        for (std::int64_t loops = kFirstLoops; steadyNow() < until;
             loops = std::min<std::int64_t>(loops * 2, 1 << 14)) {
            check(launch(loops), "launch the kernel");
            check(cudaStreamSynchronize(m_stream.get()), "run the kernel");
        }
    }

private:
    cudaError_t launch(std::int64_t loops) {
        kernels::WorkloadArgs args = m_pipelines.args(0, 0, loops, KernelUse::Calibration);
        void* parameters[] = {&args};
        return kernels::launch(*m_what, parameters, m_stream.get());
    }
    template <typename Launch>
    Ns once(const Launch& launchOne) {
        m_gate.close();
        m_gate.hold(m_stream.get());
        check(cudaEventRecord(m_begin.get(), m_stream.get()), "record an event");
        m_gate.enterCall(0, kNoOp); // CUDA_LAUNCH_BLOCKING: only the watchdog lets it return
        const cudaError_t launched = launchOne();
        m_gate.leaveCall(0);
        check(launched, "launch the kernel");
        check(cudaEventRecord(m_end.get(), m_stream.get()), "record an event");
        m_gate.open();
        check(cudaStreamSynchronize(m_stream.get()), "run the kernel");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, m_begin.get(), m_end.get()), "time the kernel");
        return static_cast<Ns>(static_cast<double>(ms) *
                               1e6); // CUDA gives only float ms here; used only for this
    }
    template <typename Launch>
    Ns median(const Launch& launchOne) {
        once(launchOne); // the first one loads the code
        std::array<Ns, kSamples> samples{};
        for (Ns& sample : samples)
            sample = once(launchOne);
        std::sort(samples.begin(), samples.end());
        return samples[kSamples / 2];
    }

    const kernels::Launch* m_what;
    Pipelines& m_pipelines;
    Gate& m_gate;
    StreamHandle m_stream;
    EventHandle m_begin, m_end;
    Ns m_overhead = 0;
};

std::int64_t scaled(std::int64_t loops, Ns measured, Ns target) {
    const double factor = std::clamp(static_cast<double>(target) / static_cast<double>(measured), 0.05, 64.0);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(loops) * factor + 0.5));
}

std::int64_t loopsFor(Ns target, Stopwatch& watch, const RunControl& control) {
    std::int64_t loops = kFirstLoops;
    for (int step = 0; step < kMaxSteps; ++step) {
        control.throwIfCancelled();
        const Ns measured = watch.kernel(loops);
        const Ns off = measured > target ? measured - target : target - measured;
        if (off * 200 <= target) // within 0.5 %
            break;
        const std::int64_t next = scaled(loops, measured, target);
        if (next == loops)
            break; // the loop count cannot get closer, or the fixed part alone exceeds the target
        loops = next;
    }
    return loops;
}

/// The longest of the grids that have the first shape.
std::size_t longestAlike(const std::vector<experiment::PlannedGrid>& grids, std::size_t like) {
    std::size_t longest = like;
    for (std::size_t i = 0; i < grids.size(); ++i)
        if (grids[i].blocks == grids[like].blocks && grids[i].threads == grids[like].threads &&
            grids[i].sharedBytes == grids[like].sharedBytes && grids[i].duration > grids[longest].duration)
            longest = i;
    return longest;
}

} // namespace

std::int64_t calibrateLoops(Pipelines& pipelines, Gate& gate, Ns target, const RunControl& control) {
    Stopwatch watch(pipelines, gate);
    watch.warmUp();
    return loopsFor(target, watch, control);
}

std::vector<std::int64_t> calibrateGrids(Pipelines& pipelines, Gate& gate,
                                         const std::vector<experiment::PlannedGrid>& grids,
                                         const RunControl& control) {
    Stopwatch watch(pipelines, gate);
    watch.warmUp();
    std::vector<std::int64_t> loops(grids.size(), 0);
    for (std::size_t i = 0; i < grids.size(); ++i) {
        const std::size_t timed = longestAlike(grids, i);
        if (loops[timed] == 0) {
            watch.use(pipelines.on(0).grids()[timed].launch);
            loops[timed] = loopsFor(grids[timed].duration, watch, control);
        }
        if (i != timed)
            loops[i] = std::max<std::int64_t>(
                1, static_cast<std::int64_t>(static_cast<double>(loops[timed]) *
                                             static_cast<double>(grids[i].duration) /
                                             static_cast<double>(grids[timed].duration)));
    }
    return loops;
}

namespace {

constexpr int kSoloSamples = 9;
constexpr std::uint32_t kSoloTag = 0x80000000u; // op ids of solo runs: distinct from those of the window

/// Keeps only what solo runs need from the records: begin, end and op per correlation id.
class SoloSink final : public RecordSink {
public:
    struct Span {
        ActivityClass cls{};
        Ns begin = 0, end = 0;
    };
    void add(const ActivityRecord& r) override {
        if (!isDeviceClass(r.cls) || r.end < r.begin || r.begin == 0)
            return;
        auto [place, fresh] = m_spans.try_emplace(r.correlation, Span{r.cls, r.begin, r.end});
        if (!fresh) { // a staged pageable copy may be several records
            place->second.begin = std::min(place->second.begin, r.begin);
            place->second.end = std::max(place->second.end, r.end);
        }
    }
    void add(const CorrelationRecord& r) override { m_tags[r.correlation] = r.op.value; }
    TextId intern(std::string_view) override { return {}; }
    void add(const ProcessRecord&) override {}
    void add(const StreamCallRecord&) override {}
    void add(const ClockRecord&) override {}
    void add(const RankRecord&) override {}
    void add(const DeviceRecord&) override {}
    void add(const ContextRecord&) override {}
    void add(const StreamRecord&) override {}
    void add(const SoloRecord&) override {}
    void add(const WindowRecord&) override {}
    void add(const EnvironmentRecord&) override {}
    void add(const ProvenanceRecord&) override {}
    void add(const RefusedRecord&) override {}

    /// Durations of the runs tagged `tag`, sorted.
    std::vector<Ns> durations(std::uint32_t tag) const {
        std::vector<Ns> found;
        for (const auto& [correlation, span] : m_spans)
            if (const auto owner = m_tags.find(correlation); owner != m_tags.end() && owner->second == tag)
                found.push_back(span.end - span.begin);
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    std::map<std::uint32_t, Span> m_spans;
    std::map<std::uint32_t, std::uint32_t> m_tags;
};

/// The planned op to run alone: the first of its kind, with sufficiently large buffers.
std::optional<experiment::Op> firstOf(const experiment::Schedule& schedule, std::uint32_t solo) {
    for (const auto* ops : {&schedule.ops, &schedule.warmup})
        for (experiment::Op op : *ops)
            if (op.solo == solo) {
                op.id = kNoOp;
                return op;
            }
    return std::nullopt;
}

void runAlone(const experiment::Op& op, std::uint32_t tag, Issuer& issuer, const RunControl& control) {
    for (int i = 0; i < kSoloSamples; ++i) {
        control.throwIfCancelled();
        issuer.issue(op, OpId{tag}, KernelUse::Unchecked);
        check(cudaDeviceSynchronize(), "run an op alone");
    }
}

void addGrid(SoloRecord& record, const experiment::SoloOp& solo, const DeviceSet& device) {
    const experiment::OpKind kind = solo.kind;
    if (solo.grid != kNoNumber) {
        record.blocks = device.grids()[solo.grid].launch.blocks;
        record.residentBlocks = device.grids()[solo.grid].resident;
    } else if (kind == experiment::OpKind::Kernel) {
        record.blocks = device.kernel().blocks;
        record.residentBlocks = device.residentBlocks();
    } else if (kind == experiment::OpKind::FillKernel) {
        record.blocks = device.fill().blocks;
        record.residentBlocks = device.fillResidentBlocks();
    } else if (kind == experiment::OpKind::NullKernel) {
        record.blocks = 1;
        check(kernels::residentBlocks(kernels::nullLaunch(), record.residentBlocks),
              "ask for a kernel's occupancy");
    }
}

} // namespace

void measureSolos(const experiment::Schedule& schedule, Issuer& issuer, const Pipelines& pipelines,
                  cupti::Collector& collector, RecordSink& out, const RunControl& control) {
    for (std::uint32_t i = 0; i < schedule.solos.size(); ++i)
        if (const std::optional<experiment::Op> op = firstOf(schedule, i))
            runAlone(*op, kSoloTag + i, issuer, control);
    SoloSink sink;
    collector.drain(sink, cupti::Collector::KeepRaw::No);
    for (std::uint32_t i = 0; i < schedule.solos.size(); ++i) {
        const std::vector<Ns> durations = sink.durations(kSoloTag + i);
        const std::optional<ActivityClass> cls = experiment::classOf(schedule.solos[i].kind);
        if (durations.empty() || !cls)
            continue; // analysis abstains if a solo duration is missing
        SoloRecord record{i,
                          *cls,
                          schedule.solos[i].bytes,
                          durations[durations.size() / 2],
                          static_cast<std::uint32_t>(durations.size()),
                          0,
                          0};
        addGrid(record, schedule.solos[i], pipelines.on(0));
        out.add(record);
    }
}

} // namespace olab::cuda
