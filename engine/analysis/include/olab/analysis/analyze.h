// From a trace to facts and from facts to a report, in pure calls. Deterministic, whatever the number of
// threads they take; safe from any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/trace/run_control.h>

namespace olab::analysis {

/// Only the measured numbers of each device, as in Report::devices, long before the report is ready.
/// @throws Error only when cancelled
std::vector<DeviceReport> measuredNumbers(const AnalysisInput& input, const RunControl& control = {});
/// All facts about a trace; refers to the same objects as `input`. @throws Error only when cancelled
FactsPtr gatherFacts(const AnalysisInput& input, const RunControl& control = {});
/// The measurements and the defects, without any judgement.
Report measuredReport(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs);
/// Judges the measurements: verdicts, findings, what is often blamed. Uses `report.ledger` if present, and
/// may be called again once it is. Cheap compared with gathering facts. Apply proofs and controls afterwards.
/// @throws Error only when cancelled
void judge(Report& report, const Facts& facts, const RunControl& control = {});
/// measuredReport() and judge(), without an account. @throws Error only when cancelled
Report reportOf(const Facts& facts, const std::optional<ToolEffect>& toolEffect = {},
                const JobRuns& runs = {}, const RunControl& control = {});
/// The verdicts for a part of a run, such as an iteration: by the account of the whole run, or without one by
/// the records of the part. `report` and `part` cover that slice of time.
void judgePart(Report& report, const Facts& part, Interval time, const Facts& whole,
               const std::shared_ptr<const Ledger>& account);
/// The defects of a run, without notices. `schedule` null: the plan is unknown.
std::vector<Defect> troubleOf(const Trace& trace, const experiment::Schedule* schedule);
/// gatherFacts() and reportOf(), if only the report is needed. @throws Error only when cancelled
Report analyze(const AnalysisInput& input, const RunControl& control = {});

} // namespace olab::analysis
