#include <olab/experiment/held_experiment.h>
#include <olab/io/formats.h>
#include <olab/io/recording_file.h>
#include <olab/io/side_notes.h>

#include "import/foreign_files.h"
#include "olab_format.h"

#include <olab/trace/trace_builder.h>

namespace olab {
namespace {

std::string namesOf(std::span<const Importer> importers) {
    std::string text;
    for (const Importer& importer : importers)
        text += (text.empty() ? "" : ", ") + std::string(importer.name) + " (" +
                std::string(importer.pattern) + ")";
    return text;
}

/// What is wrong with what was unpacked is said of what was packed.
RecordingData readWith(const Importer& importer, Source& source, RecordSink& records,
                       const RunControl& control) {
    try {
        return importer.read(source, records, control);
    } catch (const Error& error) {
        std::string message = error.what();
        const std::string scratch = source.file().string();
        if (const auto at = message.find(scratch); scratch != source.path() && at != message.npos)
            message.replace(at, scratch.size(), source.path().string());
        throw Error(error.kind(), error.code(), message, error.hint());
    }
}

/// What a person kept beside a file that is not ours.
void takeSideNotes(const std::filesystem::path& path, RecordingData& data, RecordSink& records) {
    std::string refused;
    if (auto found = sideNotesOf(path, refused)) {
        data.bookmarks = std::move(found->bookmarks);
        data.label = std::move(found->label);
    }
    if (!refused.empty())
        records.add(EnvironmentRecord{"notes beside it", "not taken: " + refused});
}

} // namespace

RecordingData readRecording(const std::filesystem::path& path, std::span<const Importer> importers,
                            const RunControl& control) {
    Source source(path, control);
    for (const Importer& importer : importers) {
        if (!importer.sniff(source.head()) || (importer.confirm && !importer.confirm(source, control)))
            continue;
        TraceBuilder builder;
        RecordingData data = readWith(importer, source, builder, control);
        if (source.isDamaged())
            builder.add(RefusedRecord{DefectCode::TruncatedFile, 1, kAllClasses,
                                      "what it is packed in is damaged or ends too early", false});
        if (importer.id != "olab")
            takeSideNotes(path, data, builder);
        data.trace = builder.finish();
        fitBookmarks(data.bookmarks, data.trace);
        return data;
    }
    if (const auto known = foreignFile(source, control))
        throw Error(ErrorKind::Usage, "unknown-format",
                    path.string() + " cannot be read here: it is " + known->is + ".", known->hint);
    throw Error(ErrorKind::Usage, "unknown-format",
                path.string() + (source.head().empty() ? " is empty." : " is in no format known here."),
                "These can be read: " + namesOf(importers) + ".");
}

RecordingData readRecording(const std::filesystem::path& path, const RunControl& control) {
    return readRecording(path, importers(), control);
}

void writeRecording(const std::filesystem::path& path, const Trace& trace, const Experiment* experiment,
                    const std::optional<ToolEffect>& toolEffect, const RunControl& control,
                    std::string_view reportJson, std::span<const Bookmark> bookmarks, const RunLabel& label,
                    const JobRuns& runs, const RunTimes& times, const Interventions& interventions) {
    writeOlab(path, trace, experiment, toolEffect, reportJson, bookmarks, label, {runs, times, interventions},
              control);
}

} // namespace olab
