// What the simulator's tests share.
#pragma once

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace olab::test {

Trace simulate(const experiment::Experiment& experiment, const sim::DeviceModel& model = {});
/// Of the options given, in order; else defaults.
experiment::HeldExperiment experimentWith(std::initializer_list<const char*> assignments);
/// Of a and b's common time in the shorter one's, as the overlap numbers count.
double overlapShare(const Trace& trace, ActivityClass a, ActivityClass b);
/// The activity of each op; kNoActivity for those without.
inline constexpr ActivityIndex kNoActivity = 0xffffffffu;
std::vector<ActivityIndex> byOp(const experiment::Schedule& schedule, const Trace& trace);
/// For each op of `kind` that is not the first of its stream: its begin after the end of the op before it.
std::vector<Ns> waits(const experiment::Schedule& schedule, const Trace& trace, experiment::OpKind kind);
bool hasDefect(const Trace& trace, DefectCode code);
Ns makespan(const Trace& trace);
Ns median(std::vector<Ns> values);

/// A run, its ops and what became of each.
struct Played {
    explicit Played(std::initializer_list<const char*> assignments, const sim::DeviceModel& model = {})
        : Played(experimentWith(assignments), model) {}
    explicit Played(const experiment::Experiment& experiment, const sim::DeviceModel& model = {});
    Interval work(const experiment::Op& op) const { return trace.time(activity[op.id.value]); }
    Interval call(const experiment::Op& op) const { return trace.time(calls[op.id.value]); }
    Activity of(const experiment::Op& op) const { return trace[activity[op.id.value]]; }
    std::vector<experiment::Op> all(experiment::OpKind kind) const;
    std::vector<Ns> durations(experiment::OpKind kind) const;
    std::vector<Ns> callDurations(experiment::OpKind kind) const;
    double share(ActivityClass a, ActivityClass b) const { return overlapShare(trace, a, b); }
    experiment::Plan schedule;
    Trace trace;
    std::vector<ActivityIndex> activity, calls; ///< per op
};

} // namespace olab::test
