#include "sim_test.h"

#include <algorithm>
#include <map>

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

} // namespace olab::test
