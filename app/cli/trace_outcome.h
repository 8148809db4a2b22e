// What is said once a traced program has ended: what was recorded, or why nothing was.
#pragma once

#include "traced_program.h"
#include <olab/trace/trace_request.h>

#include <filesystem>
#include <vector>

namespace olab::cli {

/// One process that was recorded.
struct RecordedProcess {
    std::int64_t pid = 0;
    std::filesystem::path file;
    bool closed = false; ///< by the program itself
    std::string ended;   ///< why recording ended before; empty: it did not
};
std::vector<RecordedProcess> recordedProcesses(const std::vector<TraceStatus>& told);

/// Closes the files that their program left open, as it ended at once.
void closeFiles(const std::vector<RecordedProcess>& recorded, const ProgramEnd& end);

/// Says on stderr what became of the recording. `analyze`: with its first lines of judgement.
void tellOutcome(const TraceRequest& request, const ProgramEnd& end, bool analyze);

} // namespace olab::cli
