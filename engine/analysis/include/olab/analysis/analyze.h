// From a trace to facts and from facts to a report, in pure calls. Deterministic, whatever the number of
// threads they take; safe from any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/trace/run_control.h>

namespace olab::analysis {

/// The measured numbers of each device and nothing else: what Report::devices says, long before the report.
/// @throws Error only when cancelled
std::vector<DeviceReport> measuredNumbers(const AnalysisInput& input, const RunControl& control = {});
/// Everything there is to know about a trace; refers to what `input` does. @throws Error only when cancelled
FactsPtr gatherFacts(const AnalysisInput& input, const RunControl& control = {});
/// What follows from the facts: little beside gathering them. @throws Error only when cancelled
Report judge(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs,
             const RunControl& control = {});
/// What went wrong in a run, but for notices. `schedule` null: nothing is known of what was planned.
std::vector<Defect> troubleOf(const Trace& trace, const experiment::Schedule* schedule);
/// Both, for whoever needs the report alone. @throws Error only when cancelled
Report analyze(const AnalysisInput& input, const RunControl& control = {});

} // namespace olab::analysis
