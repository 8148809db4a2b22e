// Reads and writes what an .olab file holds: records, experiment, tool effect, problems in the other runs of
// the job, controls and proofs, bookmarks, label.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/controls.h>
#include <olab/comparison/paired_change.h>
#include <olab/comparison/proof.h>
#include <olab/io/notes.h>
#include <olab/trace/run_control.h>
#include <olab/trace/trace_builder.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace olab::experiment {
struct Experiment;
} // namespace olab::experiment

namespace olab::io {

/// What was run in addition to the experiment to know how far to trust it.
struct Interventions {
    std::optional<comparison::Controls> controls{}; ///< none were run
    std::vector<comparison::Proof> proofs{};
};

/// The content of a file (or from a child), before analysis.
struct RecordingData {
    Trace trace;
    std::shared_ptr<const experiment::Experiment> experiment; ///< null: the options are unknown
    std::optional<analysis::ToolEffect> toolEffect;
    std::vector<Bookmark> bookmarks{};
    bool bookmarksPartly = false; ///< the file has more of them than are kept here
    RunLabel label{};
    bool labelPartly = false; ///< the same for the label
    analysis::JobRuns runs{};
    comparison::RunTimes times{};
    Interventions interventions{};
    std::string format{}; ///< of the file, for people: "Nsight Systems SQLite export, packed with gzip"
};
/// Any readable format (see formats.h), recognised by content. @throws Error kind Usage: not readable,
/// unknown format, newer version, "nothing-usable": none of its records could be kept.
RecordingData readRecording(const std::filesystem::path& path, const RunControl& control = {});
/// The same for measuredNumbers() only, in less time and memory: its trace has no host activities, and device
/// activities may lack names and geometry; counts and defects are those of readRecording().
RecordingData readForNumbers(const std::filesystem::path& path, const RunControl& control = {});
/// Writes to a temporary file next to `path` and renames it: an existing file is never partly overwritten.
/// `reportJson`, if given, is stored too, for other tools: readers here compute the report again. @throws
/// Error
void writeRecording(const std::filesystem::path& path, const Trace& trace,
                    const experiment::Experiment* experiment,
                    const std::optional<analysis::ToolEffect>& toolEffect, const RunControl& control = {},
                    std::string_view reportJson = {}, std::span<const Bookmark> bookmarks = {},
                    const RunLabel& label = {}, const analysis::JobRuns& runs = {},
                    const comparison::RunTimes& times = {}, const Interventions& interventions = {});

// A recording as another tool would have made it: what ran when, without the plan. For files to pass on, and
// to test that verdicts and accounts need no more.

/// Without experiment, notes, bookmarks, environment and the numbers of planned ops; solo runs and the
/// measured window stay.
RecordingData recordsOnly(const RecordingData& recording);

} // namespace olab::io
