// What the simulator's tests share.
#pragma once

#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes.h>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace olab::test {

Trace simulate(const Experiment& experiment, const DeviceModel& model = {});
/// Of the options given, in order; else defaults.
Experiment experimentWith(std::initializer_list<const char*> assignments);
/// Of a and b's common time in the shorter one's, as the overlap numbers count.
double overlapShare(const Trace& trace, ActivityClass a, ActivityClass b);
/// The activity of each op; kNoActivity for those without.
inline constexpr ActivityIndex kNoActivity = 0xffffffffu;
std::vector<ActivityIndex> byOp(const Schedule& schedule, const Trace& trace);
/// For each op of `kind` that is not the first of its stream: its begin after the end of the op before it.
std::vector<Ns> waits(const Schedule& schedule, const Trace& trace, OpKind kind);
bool hasDefect(const Trace& trace, DefectCode code);

} // namespace olab::test
