// Problems in the runs of a job, as the member "runs" of the environment chunk: {"traced", "untraced",
// "shown", "shown_traced", "troubled": [{"run", "traced", "defects": [{"code", "count", "classes",
// "detail"}]}]}. Unknown members are ignored. Private to io.
#pragma once

#include <olab/analysis/job_runs.h>

#include <nlohmann/json.hpp>

namespace olab::io {

nlohmann::json runsToJson(const analysis::JobRuns& runs);
/// @throws std::exception for invalid content: then the problems are unknown, which is a data loss.
analysis::JobRuns runsFromJson(const nlohmann::json& json);

} // namespace olab::io
