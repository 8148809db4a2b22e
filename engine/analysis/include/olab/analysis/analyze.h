// From a trace to a report, in one pure call. Deterministic; safe from any thread.
#pragma once

#include <olab/analysis/report.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/lanes.h>
#include <olab/trace/run_control.h>

namespace olab {

struct AnalysisInput {
    const Trace& trace;
    const LaneSet& lanes;
    const Schedule* schedule = nullptr; ///< null: an imported trace, nothing is known of what was planned
    std::optional<ToolEffect> toolEffect{};
    JobRuns runs{}; ///< of the job, the one that is analysed is `shown`
};

/// @throws Error only when cancelled
Report analyze(const AnalysisInput& input, const RunControl& control = {});

} // namespace olab
