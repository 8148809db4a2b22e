// The native format: what the chunks of an .olab file mean to a person's recording. Private to io.
#pragma once

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

namespace olab {

/// Damage of any kind inside the file becomes a defect of the trace. @throws Error when it is no .olab file
/// at all.
RecordingData readOlab(Source& source, RecordSink& records, const RunControl& control);
/// What the environment chunk says of the other runs of the job.
struct OtherRuns {
    const JobRuns& runs;
    const RunTimes& times;
    const Interventions& interventions;
};
/// `reportJson` may be empty: then the file holds no report, which nothing but other tools needs.
void writeOlab(const std::filesystem::path& path, const Trace& trace, const Experiment* experiment,
               const std::optional<ToolEffect>& toolEffect, std::string_view reportJson,
               std::span<const Bookmark> bookmarks, const RunLabel& label, const OtherRuns& others,
               const RunControl& control);

} // namespace olab
