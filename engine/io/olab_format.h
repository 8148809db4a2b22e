// The native format: how the chunks of an .olab file map to a recording. Private to io.
#pragma once

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

namespace olab::io {

/// Damage of any kind inside the file becomes a defect of the trace. @throws Error if it is not an .olab file
/// at all.
RecordingData readOlab(Source& source, RecordSink& records, const RunControl& control);
/// The other runs of the job, from the environment chunk.
struct OtherRuns {
    const analysis::JobRuns& runs;
    const comparison::RunTimes& times;
    const Interventions& interventions;
};
/// `reportJson` may be empty: then the file has no report, which only other tools need.
void writeOlab(const std::filesystem::path& path, const Trace& trace,
               const experiment::Experiment* experiment,
               const std::optional<analysis::ToolEffect>& toolEffect, std::string_view reportJson,
               std::span<const Bookmark> bookmarks, const RunLabel& label, const OtherRuns& others,
               const RunControl& control);

} // namespace olab::io
