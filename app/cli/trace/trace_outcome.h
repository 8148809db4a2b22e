// What is said once a traced program has ended: what was recorded, or why nothing was.
#pragma once

#include "traced_program.h"
#include <olab/trace/trace_request.h>

#include <filesystem>
#include <vector>

namespace olab::cli {

enum class TraceTelling : std::uint8_t {
    All,         ///< with the first lines of a judgement
    NoJudgement, ///< where the recording is
    Trouble,     ///< only what went wrong
};

/// Closes the files that their programs left open, and notes in them how the program ended.
void noteOpenEnds(const TraceRequest& request, const ProgramEnd& end);
/// Says on stderr what became of the recording. @returns why nothing was recorded; empty: something was
std::string tellOutcome(const TraceRequest& request, const ProgramEnd& end, TraceTelling telling);
/// The first lines of the judgement of recordings: of several as one, they have one clock.
void tellJudgement(const std::vector<std::filesystem::path>& files);
/// How these are analysed: several as one.
void tellMore(const std::vector<std::filesystem::path>& files);

} // namespace olab::cli
