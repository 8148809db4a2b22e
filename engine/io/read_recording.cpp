#include "import/foreign_files.h"
#include "olab_format.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/formats.h>
#include <olab/io/recording_file.h>
#include <olab/io/side_notes.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <map>
#include <optional>

namespace olab::io {
namespace {

std::string namesOf(std::span<const Importer> importers) {
    std::string text;
    for (const Importer& importer : importers)
        text += (text.empty() ? "" : ", ") + std::string(importer.name) + " (" +
                std::string(importer.pattern) + ")";
    return text;
}

/// Problems of the decompressed data are reported for the compressed file.
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

/// As named by its reader, or by its row.
std::string formatOf(const RecordingData& data, const Importer& importer, const Source& source) {
    const std::string format = data.format.empty() ? std::string(importer.name) : data.format;
    const std::string packing(source.packing());
    return packing.empty() ? format : format + ", packed with " + packing;
}

/// Invalid records, without those that this program does not use, such as whole graph launches.
bool isImpossible(const Defect& defect) {
    constexpr DefectCode kCodes[] = {DefectCode::EndBeforeStart, DefectCode::NoTimestamp,
                                     DefectCode::BadRecord};
    return std::ranges::find(kCodes, defect.code) != std::end(kCodes);
}

/// There were records, but all were invalid: this is not an empty recording.
void refuseIfNothingIsUsable(const std::filesystem::path& path, const Trace& trace) {
    const Defect* most = nullptr;
    std::uint64_t impossible = 0;
    for (const Defect& defect : trace.defects()) {
        if (!isImpossible(defect))
            continue;
        impossible += defect.count;
        if (!most || defect.count > most->count)
            most = &defect;
    }
    if (trace.counts().kept > 0 || !most || impossible < trace.counts().refused)
        return;
    const std::string reason = most->detail.empty() ? std::string(defectRow(most->code).id) : most->detail;
    throw Error(ErrorKind::Usage, "nothing-usable",
                path.string() + " cannot be read as a trace: none of its " +
                    std::to_string(trace.counts().read) + " records can be used. " +
                    std::to_string(most->count) + " x " + reason + ".",
                "Export or record it again, and try a newer version of the tool that wrote it.");
}

/// The row with this file extension; null: none.
const Importer* importerNamedLike(const std::filesystem::path& path, std::span<const Importer> importers) {
    const std::string name = path.filename().string();
    for (const Importer& importer : importers)
        for (std::string_view rest = importer.pattern; !rest.empty();) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            const std::string_view ending = rest.substr(1, end - 1); // after the "*"
            if (name.ends_with(ending))
                return &importer;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return nullptr;
}

/// The content did not match any format; the file name suggests what to do.
[[noreturn]] void refuseUnknown(const std::filesystem::path& path, Source& source,
                                std::span<const Importer> importers, const RunControl& control) {
    if (const auto known = foreignFile(source, control))
        throw Error(ErrorKind::Usage, "unknown-format",
                    path.string() + " cannot be read here: it is " + known->is + ".", known->hint);
    if (source.head().empty() && source.isDamaged()) {
        const Source::Damage damage = source.damage();
        throw Error(ErrorKind::Usage, "cannot-read",
                    "Cannot read " + path.string() + ": " + damage.what + ", and nothing of it can be read.",
                    damage.remedy.empty() ? "Copy it again from where it came from." : damage.remedy + ".");
    }
    if (source.head().empty())
        throw Error(ErrorKind::Usage, "unknown-format", path.string() + " is empty.",
                    "Copy it again from where it came from; if it is empty there too, the recording was "
                    "interrupted: record again.");
    const Importer* promised = importerNamedLike(path, importers);
    const std::string damaged =
        promised ? "Its name is that of a file of this kind: " + std::string(promised->name) +
                       ". If it is one, the header is damaged: copy it again from where it came from. "
                 : std::string();
    throw Error(ErrorKind::Usage, "unknown-format", path.string() + ": unrecognized format.",
                damaged + "These can be read: " + namesOf(importers) + ".");
}

/// The user's notes next to a foreign file.
void takeSideNotes(const std::filesystem::path& path, RecordingData& data, RecordSink& records) {
    std::string refused;
    if (auto found = sideNotesOf(path, refused)) {
        data.bookmarks = std::move(found->bookmarks);
        data.label = std::move(found->label);
    }
    if (!refused.empty())
        records.add(EnvironmentRecord{"notes beside it", "not taken: " + refused});
}

/// For damage of the compression: what came before was read.
void tellDamage(const Source::Damage& damage, RecordSink& records) {
    records.addDefect(damage.isCut ? DefectCode::TruncatedFile : DefectCode::DamagedChunk, 1, kAllClasses,
                      damage.what + (damage.remedy.empty() ? "" : ". " + damage.remedy));
}

/// Empty: with the kept data alone, the counts would be wrong.
std::optional<RecordingData> readKeeping(const std::filesystem::path& path,
                                         std::span<const Importer> importers, Keeping keeping,
                                         const RunControl& control) {
    Source source(path, control);
    for (const Importer& importer : importers) {
        if (!importer.sniff(source.head()) || (importer.confirm && !importer.confirm(source, control)))
            continue;
        TraceBuilder builder(source.canBeReadAgain() ? keeping : Keeping::Everything);
        RecordingData data = readWith(importer, source, builder, control);
        if (builder.mustHaveEverything())
            return std::nullopt;
        if (source.isDamaged())
            tellDamage(source.damage(), builder);
        if (importer.id != "olab" && keeping == Keeping::Everything) // notes are not numbers
            takeSideNotes(path, data, builder);
        data.trace = builder.finish();
        data.format = formatOf(data, importer, source);
        if (importer.id != "olab") // our own files still show settings, notes and problems of the run
            refuseIfNothingIsUsable(path, data.trace);
        fitBookmarks(data.bookmarks, data.trace);
        return data;
    }
    refuseUnknown(path, source, importers, control);
}

} // namespace

RecordingData readRecording(const std::filesystem::path& path, std::span<const Importer> importers,
                            const RunControl& control) {
    return *readKeeping(path, importers, Keeping::Everything, control);
}

RecordingData readRecording(const std::filesystem::path& path, const RunControl& control) {
    return readRecording(path, importers(), control);
}

RecordingData readForNumbers(const std::filesystem::path& path, const RunControl& control) {
    if (auto data = readKeeping(path, importers(), Keeping::Numbers, control))
        return std::move(*data);
    return readRecording(path, control);
}

void writeRecording(const std::filesystem::path& path, const Trace& trace,
                    const experiment::Experiment* experiment,
                    const std::optional<analysis::ToolEffect>& toolEffect, const RunControl& control,
                    std::string_view reportJson, std::span<const Bookmark> bookmarks, const RunLabel& label,
                    const analysis::JobRuns& runs, const comparison::RunTimes& times,
                    const Interventions& interventions) {
    writeOlab(path, trace, experiment, toolEffect, reportJson, bookmarks, label, {runs, times, interventions},
              control);
}

namespace {

class RecordsOnly final : public ForwardingSink {
public:
    using ForwardingSink::add;
    RecordsOnly(RecordSink& target, const Trace& trace)
        : ForwardingSink(target) {
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            if (trace.cls(i) == ActivityClass::Api && trace.opOf(i) != kNoOp)
                m_callOf[trace.opOf(i).value] = trace.correlation(i);
    }
    /// Older recordings tie a host function to its call by the op of both alone.
    void add(const ActivityRecord& record) override {
        ActivityRecord stripped = record;
        if (const auto call = m_callOf.find(record.op.value);
            record.cls == ActivityClass::HostFn && record.correlation == 0 && call != m_callOf.end())
            stripped.correlation = call->second;
        stripped.op = kNoOp;
        target().add(stripped);
    }
    void add(const CorrelationRecord&) override {}
    void add(const EnvironmentRecord&) override {}

private:
    std::map<std::uint32_t, std::uint32_t> m_callOf; ///< per op: the correlation of its last call
};

} // namespace

RecordingData recordsOnly(const RecordingData& recording) {
    TraceBuilder builder;
    RecordsOnly sink(builder, recording.trace);
    recording.trace.replay(sink);
    RecordingData stripped;
    stripped.trace = builder.finish();
    return stripped;
}

} // namespace olab::io
