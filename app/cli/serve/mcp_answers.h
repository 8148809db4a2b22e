// The answers of the tools: of arguments that fit the schema of each (mcp_tools.cpp).
#pragma once

#include "mcp_tools.h"

namespace olab::cli {

// Each throws Error where a file cannot be read or has no such part.
ToolAnswer recordingsAnswer(const Asked& arguments, RecordingCache& cache);
ToolAnswer reportAnswer(const Asked& arguments, RecordingCache& cache);
ToolAnswer accountAnswer(const Asked& arguments, RecordingCache& cache);
ToolAnswer waitsAnswer(const Asked& arguments, RecordingCache& cache);
ToolAnswer compareAnswer(const Asked& arguments, RecordingCache& cache);

} // namespace olab::cli
