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
/// What was measured, with the defects, and nothing judged yet.
Report measuredReport(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs);
/// Judges what was measured: verdicts, findings, what is often blamed. By `report.ledger` where there is one;
/// may be done again when there is. Little beside gathering facts. Proofs and controls are applied after it.
/// @throws Error only when cancelled
void judge(Report& report, const Facts& facts, const RunControl& control = {});
/// Both, without an account. @throws Error only when cancelled
Report reportOf(const Facts& facts, const std::optional<ToolEffect>& toolEffect = {},
                const JobRuns& runs = {}, const RunControl& control = {});
/// The verdicts of a part of a run, such as an iteration, by the account of the whole run; without an account
/// by the records of the part. `report` and `part` cover that slice of time.
void judgePart(Report& report, const Facts& part, Interval time, const Facts& whole,
               const std::shared_ptr<const Ledger>& account);
/// What went wrong in a run, but for notices. `schedule` null: nothing is known of what was planned.
std::vector<Defect> troubleOf(const Trace& trace, const experiment::Schedule* schedule);
/// gatherFacts() and reportOf(), for whoever needs the report alone. @throws Error only when cancelled
Report analyze(const AnalysisInput& input, const RunControl& control = {});

} // namespace olab::analysis
