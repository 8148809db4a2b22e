#include <olab/recording/recording.h>

#include <olab/analysis/analyze.h>
#include <olab/analysis/race.h>
#include <olab/analysis/steady_state.h>
#include <olab/experiment/plan.h>
#include <olab/io/report_json.h>
#include <olab/trace/lanes.h>
#include <olab/trace/limits.h>

#include <algorithm>

namespace olab::recording {
namespace {

/// A recording may come from another version, whose plans this one refuses: then the plan is unknown.
std::shared_ptr<const experiment::Plan> planOf(const experiment::Experiment* experiment,
                                               std::size_t devices) {
    if (!experiment)
        return nullptr;
    try {
        return std::make_shared<const experiment::Plan>(
            experiment::plan(*experiment, static_cast<int>(devices)));
    } catch (const Error&) {
        return nullptr;
    }
}

/// The parts that take longer than the verdict: for large recordings only on request.
void makeAccount(Recording& recording, const RunControl& control) {
    control.report(-1, "finding the repeating iteration");
    const auto found =
        std::make_shared<const analysis::SteadyState>(analysis::findSteadyState(*recording.facts, control));
    recording.report.steadyState = found; // the account is about it if it is most of the run
    recording.report.ledger = accountFor(recording, control);
    recording.report.steadyState = judgedBy(recording.report.ledger, *found, recording, control);
}

void judgeAll(Recording& recording, const RunControl& control) {
    analysis::judge(recording.report, *recording.facts, control);
    applyNotes(recording);
}

io::ReportContext contextOf(const Recording& recording, std::string file) {
    return {recording.trace,     recording.experiment.get(),
            recording.live,      std::move(file),
            recording.bookmarks, recording.label,
            recording.proofs,    recording.controls ? &*recording.controls : nullptr,
            &recording.times,    recording.facts.get()};
}

constexpr std::size_t kMostTrust = 2000; ///< a sentence or three

} // namespace

FileStamp FileStamp::of(const std::filesystem::path& path) {
    std::error_code size, time;
    const FileStamp stamp{std::filesystem::file_size(path, size),
                          std::filesystem::last_write_time(path, time)};
    return size || time ? FileStamp{} : stamp;
}

std::string Recording::raceText() const {
    return olab::analysis::raceText(report);
}

std::string Recording::badge() const {
    switch (trace.provenance().source) {
    case SourceKind::Cuda:
        return live ? "" : "RECORDED";
    case SourceKind::Simulated:
        return "SIMULATED";
    case SourceKind::Imported:
        return io::originKnown(trace) ? "IMPORTED" : "ORIGIN NOT KNOWN";
    case SourceKind::Traced:
        return "TRACED";
    }
    return "IMPORTED";
}

std::string Recording::trust() const {
    if (trace.provenance().source != SourceKind::Simulated)
        return {};
    const auto said = trace.environment().find("simulator.trust");
    return said != trace.environment().end() && !said->second.empty()
               ? std::string(cutText(said->second, kMostTrust))
               : "Simulated. The recording does not say how well its device model was checked.";
}

bool Recording::heldMore() const {
    constexpr DefectCode kOfFiles[] = {DefectCode::TruncatedFile, DefectCode::DamagedChunk,
                                       DefectCode::UnknownChunk,  DefectCode::BadChunk,
                                       DefectCode::ChunkOrder,    DefectCode::OpenEnd};
    return bookmarksPartly || labelPartly || std::ranges::any_of(trace.defects(), [&](const Defect& defect) {
               return std::ranges::find(kOfFiles, defect.code) != std::end(kOfFiles);
           });
}

std::size_t Recording::memoryBytes() const {
    constexpr std::size_t kReport = 16 << 10; // numbers, sentences, the experiment and the plan's frame
    std::size_t bytes = sizeof(*this) + kReport + trace.memoryBytes() + (lanes ? lanes->memoryBytes() : 0);
    if (facts)
        bytes += facts->memoryBytes();
    if (schedule)
        bytes += schedule->ops.size() * (sizeof(experiment::Op) + sizeof(experiment::IssueUnit));
    for (const auto& other : otherRuns)
        bytes += other->memoryBytes();
    return bytes;
}

std::vector<Defect> damageOf(const analysis::Report& report) {
    constexpr DefectCode kNoticesOfFiles[] = {DefectCode::UnknownChunk, DefectCode::TextCut,
                                              DefectCode::OpenEnd};
    std::vector<Defect> found;
    for (const Defect& defect : report.defects) {
        const bool elsewhere =
            defect.code == DefectCode::DataMismatch || defect.code == DefectCode::ToolEffect;
        const bool ofFile = std::ranges::find(kNoticesOfFiles, defect.code) != std::end(kNoticesOfFiles);
        if (!elsewhere && (ofFile || defect.severity() != Severity::Notice))
            found.push_back(defect);
    }
    return found;
}

std::shared_ptr<Recording> makeRecording(io::RecordingData data, std::string title, bool live,
                                         const RunControl& control) {
    auto recording = std::make_shared<Recording>();
    recording->title = std::move(title);
    recording->live = live;
    recording->experiment = std::move(data.experiment);
    recording->trace = std::move(data.trace);
    recording->bookmarks = std::move(data.bookmarks);
    recording->bookmarksPartly = data.bookmarksPartly;
    recording->label = std::move(data.label);
    recording->labelPartly = data.labelPartly;
    recording->format = std::move(data.format);
    if (!recording->label.title.empty())
        recording->title = recording->label.title;
    io::fitBookmarks(recording->bookmarks,
                     recording->trace); // the trace may be a part of the one in the file
    recording->schedule = planOf(recording->experiment.get(), recording->trace.devices().size());
    recording->lanes = std::make_shared<const LaneSet>(LaneSet::of(recording->trace));
    control.throwIfCancelled();
    control.report(-1, "analyzing");
    const experiment::Plan* schedule = recording->schedule.get();
    recording->facts = analysis::gatherFacts({recording->trace, *recording->lanes, schedule}, control);
    recording->report = analysis::measuredReport(*recording->facts, data.toolEffect, data.runs);
    recording->times = std::move(data.times);
    recording->controls = std::move(data.interventions.controls);
    recording->proofs = std::move(data.interventions.proofs);
    if (recording->facts->deviceWork().size() <= kAccountAtOnce)
        makeAccount(*recording, control);
    judgeAll(*recording, control);
    return recording;
}

void addAccount(Recording& recording, const RunControl& control) {
    if (recording.report.ledger)
        return;
    makeAccount(recording, control);
    judgeAll(recording, control);
}

void applyNotes(Recording& recording) {
    applyNotes(recording, recording.report);
}

void applyNotes(const Recording& recording, analysis::Report& report) {
    if (recording.controls)
        comparison::applyControls(*recording.controls, report);
    comparison::applyProofs(recording.proofs, report);
}

std::shared_ptr<Recording> remake(const Recording& recording, const RunControl& control) {
    io::RecordingData data{recording.trace, recording.experiment, recording.report.toolEffect};
    data.runs = recording.report.runs;
    data.times = recording.times;
    auto made = makeRecording(std::move(data), recording.title, recording.live, control);
    static_cast<RecordingNotes&>(*made) = recording;
    made->otherRuns = recording.otherRuns;
    applyNotes(*made);
    return made;
}

io::ReportDocument documentOf(const Recording& recording, const std::filesystem::path& file) {
    return io::ReportDocument(recording.report, contextOf(recording, file.string()));
}

RecordingPtr openRecording(const std::filesystem::path& path, const RunControl& control) {
    control.report(-1, "reading " + path.filename().string());
    const FileStamp stamp = FileStamp::of(path); // before it is read: later changes are then detected
    auto recording =
        makeRecording(io::readRecording(path, control), path.filename().string(), false, control);
    recording->file = path;
    recording->fileStamp = stamp;
    return recording;
}

void saveRecording(const Recording& recording, const std::filesystem::path& path, const RunControl& control) {
    saveRecording(recording, path, {recording.bookmarks, recording.label}, control);
}

void saveRecording(const Recording& recording, const std::filesystem::path& path,
                   const io::Annotations& added, const RunControl& control) {
    control.report(-1, "writing " + path.filename().string());
    io::ReportContext context = contextOf(recording, path.filename().string());
    context.bookmarks = added.bookmarks, context.label = added.label;
    io::writeRecording(path, recording.trace, context.experiment, recording.report.toolEffect, control,
                       io::reportToJson(recording.report, context), added.bookmarks, added.label,
                       recording.report.runs, recording.times, {recording.controls, recording.proofs});
}

} // namespace olab::recording
