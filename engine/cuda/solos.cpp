#include "solos.h"

#include <olab/kernels/small_kernels.h>

#include <algorithm>
#include <map>
#include <optional>

namespace olab::cuda {
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
