// Reads and writes what an .olab file holds: records, experiment, tool effect, what went wrong in the other
// runs of the job, controls and proofs, bookmarks, label.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/controls.h>
#include <olab/comparison/paired_change.h>
#include <olab/comparison/proof.h>
#include <olab/io/run_label.h>
#include <olab/trace/run_control.h>
#include <olab/trace/trace_builder.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace olab {

struct Experiment;

/// What was run beside the experiment to know how far to believe it.
struct Interventions {
    std::optional<Controls> controls{}; ///< none were run
    std::vector<Proof> proofs{};
};

/// What a file (or a child) says, before analysis.
struct RecordingData {
    Trace trace;
    std::shared_ptr<const Experiment> experiment; ///< null: nobody knows the options
    std::optional<ToolEffect> toolEffect;
    std::vector<Bookmark> bookmarks{};
    bool bookmarksPartly = false; ///< the file says more of them than is kept here
    RunLabel label{};
    bool labelPartly = false; ///< the same of the label
    JobRuns runs{};
    RunTimes times{};
    Interventions interventions{};
    std::string format{}; ///< of the file, for people: "Nsight Systems SQLite export, packed with gzip"
};
/// Any readable format (see formats.h), sniffed by content. @throws Error kind Usage: not readable, unknown
/// format, newer version, "nothing-usable": records, of which none could be kept.
RecordingData readRecording(const std::filesystem::path& path, const RunControl& control = {});
/// The same for measuredNumbers() alone, in less time and memory: its trace has no activities of the host,
/// and those of devices may lack names and geometry; its counts and defects are those of readRecording().
RecordingData readForNumbers(const std::filesystem::path& path, const RunControl& control = {});
/// Writes to a temporary file beside `path` and renames it: an existing file is never half overwritten.
/// `reportJson`, if given, is kept too, for other tools: readers here make the report again. @throws Error
void writeRecording(const std::filesystem::path& path, const Trace& trace, const Experiment* experiment,
                    const std::optional<ToolEffect>& toolEffect, const RunControl& control = {},
                    std::string_view reportJson = {}, std::span<const Bookmark> bookmarks = {},
                    const RunLabel& label = {}, const JobRuns& runs = {}, const RunTimes& times = {},
                    const Interventions& interventions = {});

} // namespace olab
