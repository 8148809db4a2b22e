// What is said once a traced program has ended: what was recorded, or why nothing was.
#pragma once

#include "traced_program.h"
#include <olab/trace/trace_request.h>

#include <filesystem>
#include <vector>

namespace olab::cli {

/// Says on stderr what became of the recording. `analyze`: with its first lines of judgement.
void tellOutcome(const TraceRequest& request, const ProgramEnd& end, bool analyze);
/// How these are analysed: several as one.
void tellMore(const std::vector<std::filesystem::path>& files);

} // namespace olab::cli
