#include <olab/recording/merged_recording.h>

#include <olab/recording/merge.h>

namespace olab::recording {
namespace {

constexpr std::size_t kMostNamed = 3;

MergePart partOfRecording(const RecordingPtr& recording) {
    io::RecordingData rest; // everything except the trace, which is not copied
    rest.experiment = recording->experiment;
    rest.toolEffect = recording->report.toolEffect;
    rest.runs = recording->report.runs;
    rest.times = recording->times;
    rest.interventions = {recording->controls, recording->proofs};
    rest.bookmarks = recording->bookmarks;
    rest.bookmarksPartly = recording->bookmarksPartly;
    rest.label = recording->label;
    if (rest.label.title.empty() && recording->file.empty())
        rest.label.title = recording->title; // "Run 3"
    return partOf(std::shared_ptr<const Trace>(recording, &recording->trace), std::move(rest),
                  recording->file.string());
}

RecordingPtr judged(io::RecordingData merged, const RunControl& control) {
    std::string title = mergedTitle(merged.trace);
    return makeRecording(std::move(merged), std::move(title), false, control);
}

} // namespace

std::string mergedTitle(const Trace& merged) {
    const auto ranks = merged.ranks();
    const std::size_t named = ranks.size() > kMostNamed + 1 ? kMostNamed - 1 : ranks.size();
    std::string text;
    for (std::size_t i = 0; i < named; ++i) {
        const bool isLast = i + 1 == ranks.size();
        text += (i == 0 ? "" : isLast ? " and " : ", ") + merged.rankText(ranks[i].rank);
    }
    return named == ranks.size() ? text : text + " and " + std::to_string(ranks.size() - named) + " more";
}

io::RecordingData readMerged(std::span<const std::filesystem::path> files, const RunControl& control) {
    std::vector<MergePart> parts;
    for (const std::filesystem::path& file : files)
        parts.push_back(partOf(io::readRecording(file, control), file.string()));
    return mergeRecordings(std::move(parts), control);
}

RecordingPtr openMerged(std::span<const std::filesystem::path> files, const RunControl& control) {
    return judged(readMerged(files, control), control);
}

RecordingPtr mergeOf(std::span<const RecordingPtr> recordings, const RunControl& control) {
    std::vector<MergePart> parts;
    for (const RecordingPtr& recording : recordings)
        parts.push_back(partOfRecording(recording));
    return judged(mergeRecordings(std::move(parts), control), control);
}

} // namespace olab::recording
