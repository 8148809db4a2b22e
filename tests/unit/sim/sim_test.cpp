#include "sim_test.h"

#include <algorithm>
#include <map>
#include <random>

namespace olab::test {

Trace simulate(const Experiment& experiment, const DeviceModel& model) {
    TraceBuilder builder;
    SimBackend(model).run(plan(experiment), {}, builder, {});
    return builder.finish();
}

Experiment experimentWith(std::initializer_list<const char*> assignments) {
    Experiment e;
    for (const char* a : assignments)
        setOption(e, a);
    return e;
}

double overlapShare(const Trace& trace, ActivityClass a, ActivityClass b) {
    const LaneSet lanes = LaneSet::of(trace);
    const IntervalSet x = lanes.classCoverage(0, a), y = lanes.classCoverage(0, b);
    const Ns shorter = std::min(x.total(), y.total());
    return shorter == 0 ? 0 : static_cast<double>(overlapLength(x, y)) / static_cast<double>(shorter);
}

std::vector<ActivityIndex> byOp(const Schedule& schedule, const Trace& trace) {
    std::vector<ActivityIndex> found(schedule.ops.size(), kNoActivity);
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const Activity a = trace[i];
        if ((isDeviceClass(a.cls) || a.cls == ActivityClass::HostFn) && a.op.value < found.size())
            found[a.op.value] = i;
    }
    return found;
}

std::vector<Ns> waits(const Schedule& schedule, const Trace& trace, OpKind kind) {
    const std::vector<ActivityIndex> activity = byOp(schedule, trace);
    std::map<std::int32_t, Ns> ended;
    std::vector<Ns> out;
    for (const Op& op : schedule.ops) {
        if (activity[op.id.value] == kNoActivity)
            continue;
        const Interval t = trace.time(activity[op.id.value]);
        if (op.kind == kind && ended.contains(op.pipeline))
            out.push_back(t.begin - ended[op.pipeline]);
        ended[op.pipeline] = t.end;
    }
    return out;
}

bool hasDefect(const Trace& trace, DefectCode code) {
    return std::ranges::any_of(trace.defects(), [&](const Defect& d) { return d.code == code; });
}

namespace {

/// The generator's numbers are fixed by the standard; its distributions are not.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_engine(seed) {}
    std::int64_t upTo(std::int64_t n) {
        return static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(n));
    }
    bool often() { return upTo(4) != 0; }
    template <typename Enum>
    Enum choice(std::int64_t count) {
        return static_cast<Enum>(upTo(count));
    }

private:
    std::mt19937 m_engine;
};

Experiment randomExperiment(Dice& dice) {
    Experiment e;
    e.streams = 1 + static_cast<int>(dice.upTo(12));
    e.iterations = 1 + static_cast<int>(dice.upTo(12));
    e.h2d = dice.often(), e.memset = dice.often(), e.kernel = dice.often(), e.d2h = dice.often();
    e.callback = dice.often();
    e.h2dBytes = 1 + dice.upTo(4 << 20), e.d2hBytes = 1 + dice.upTo(4 << 20),
    e.memsetBytes = 1 + dice.upTo(64 << 20);
    e.h2dMemory = dice.choice<HostMemory>(2), e.d2hMemory = dice.choice<HostMemory>(2);
    e.kernelKind = dice.choice<KernelKind>(2);
    e.kernelUs = 1 + dice.upTo(900);
    e.kernelBlocks.blocks = static_cast<std::uint32_t>(1 + dice.upTo(5000));
    e.kernelBlocks.fill = dice.often() ? 0 : static_cast<std::uint32_t>(1 + dice.upTo(20));
    e.kernelThreads = 32 * static_cast<int>(1 + dice.upTo(32));
    e.streamKind = dice.choice<StreamFlavor>(3);
    e.nullOp = dice.choice<NullOp>(4);
    e.order = dice.choice<IssueOrder>(2);
    e.gate = dice.often();
    e.seed = dice.upTo(1000);
    return e;
}

} // namespace

std::vector<Experiment> randomExperiments(std::size_t count) {
    Dice dice(20240501);
    std::vector<Experiment> out;
    while (out.size() < count) {
        Experiment e = randomExperiment(dice);
        if (conflicts(e).empty())
            out.push_back(e);
    }
    return out;
}

} // namespace olab::test
