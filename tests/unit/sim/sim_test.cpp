#include "sim_test.h"

#include <olab/experiment/plan.h>
#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <map>

namespace olab::test {

Trace simulate(const experiment::Experiment& experiment, const sim::DeviceModel& model) {
    TraceBuilder builder;
    sim::SimBackend backend(model);
    backend.run(experiment::plan(experiment, backend.deviceCount()), {}, builder, {});
    return builder.finish();
}

experiment::HeldExperiment experimentWith(std::initializer_list<const char*> assignments) {
    experiment::HeldExperiment e;
    for (const char* a : assignments)
        experiment::setOption(e, a);
    return e;
}

double overlapShare(const Trace& trace, ActivityClass a, ActivityClass b) {
    const LaneSet lanes = LaneSet::of(trace);
    const IntervalSet x = lanes.classCoverage(0, a), y = lanes.classCoverage(0, b);
    const Ns shorter = std::min(x.total(), y.total());
    return shorter == 0 ? 0 : static_cast<double>(overlapLength(x, y)) / static_cast<double>(shorter);
}

std::vector<ActivityIndex> byOp(const experiment::Schedule& schedule, const Trace& trace) {
    std::vector<ActivityIndex> found(schedule.ops.size(), kNoActivity);
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const Activity a = trace[i];
        if ((isDeviceClass(a.cls) || a.cls == ActivityClass::HostFn) && a.op.value < found.size())
            found[a.op.value] = i;
    }
    return found;
}

std::vector<Ns> waits(const experiment::Schedule& schedule, const Trace& trace, experiment::OpKind kind) {
    const std::vector<ActivityIndex> activity = byOp(schedule, trace);
    std::map<std::int32_t, Ns> ended;
    std::vector<Ns> out;
    for (const experiment::Op& op : schedule.ops) {
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

Ns makespan(const Trace& trace) {
    return trace.deviceSpan().length();
}

Ns median(std::vector<Ns> values) {
    if (values.empty())
        return -1;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

Played::Played(const experiment::Experiment& experiment, const sim::DeviceModel& model)
    : schedule(experiment::plan(experiment, sim::SimBackend().deviceCount()))
    , trace(simulate(experiment, model))
    , activity(byOp(schedule, trace))
    , calls(schedule.ops.size(), kNoActivity) {
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Api && trace[i].op.value < calls.size())
            calls[trace[i].op.value] = i;
}

std::vector<experiment::Op> Played::all(experiment::OpKind kind) const {
    std::vector<experiment::Op> found;
    std::ranges::copy_if(schedule.ops, std::back_inserter(found),
                         [&](const experiment::Op& op) { return op.kind == kind; });
    return found;
}

std::vector<Ns> Played::durations(experiment::OpKind kind) const {
    std::vector<Ns> out;
    for (const experiment::Op& op : all(kind))
        out.push_back(work(op).length());
    return out;
}

std::vector<Ns> Played::callDurations(experiment::OpKind kind) const {
    std::vector<Ns> out;
    for (const experiment::Op& op : all(kind))
        out.push_back(call(op).length());
    return out;
}

} // namespace olab::test
