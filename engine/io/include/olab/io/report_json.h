// The report as the JSON of cli.md ("olab-report", version 1).
#pragma once

#include <olab/comparison/controls.h>
#include <olab/comparison/proof.h>
#include <olab/io/notes.h>

#include <filesystem>
#include <optional>
#include <string>

namespace olab::analysis {
class TraceFacts;
} // namespace olab::analysis

namespace olab::experiment {
struct Experiment;
} // namespace olab::experiment

namespace olab::io {

struct ReportContext {
    const Trace& trace;
    const experiment::Experiment* experiment = nullptr;
    bool live = false; ///< true: this process just ran it
    std::string file;  ///< where the trace was read from or written to; may be empty
    std::span<const Bookmark> bookmarks{};
    RunLabel label{};
    std::span<const comparison::Proof> proofs{};
    const comparison::Controls* controls = nullptr; ///< null: none were run
    const comparison::RunTimes* times = nullptr;    ///< null: not known
    const analysis::TraceFacts* facts = nullptr;    ///< of the trace; null: "waits" is left out
};
/// The trace has a record of its origin; false for a file that was truncated before it, or that has none.
bool originKnown(const Trace& trace);
/// Indented with two spaces. "ranks" is there only if recordings were merged, "collectives" only if several
/// devices have some, "race" only if the pipeline raced, "runs" only if something went wrong
/// in one of several runs, "spread" only if there were several, "waits" only of programs, which have no
/// experiment, "proofs", "controls", "bookmarks", "title"
/// and "note" only if there are any.
std::string reportToJson(const analysis::Report& report, const ReportContext& context);

/// Only "devices", "defects" and "counts" as in the report ("olab-numbers", version 1).
std::string numbersToJson(std::span<const analysis::DeviceReport> devices, const Trace& trace,
                          const std::string& file);

} // namespace olab::io
