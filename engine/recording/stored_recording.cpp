#include <olab/experiment/held_experiment.h>
#include <olab/recording/stored_recording.h>

#include <utility>

namespace olab::recording {
namespace {

namespace fs = std::filesystem;

void refuseChanged(const fs::path& file, FileStamp stamp) {
    const FileStamp now = FileStamp::of(file);
    if (now == FileStamp{})
        throw Error(ErrorKind::Usage, "file-gone",
                    "It was put out of memory, and its file is not there any more: " + file.string() + ".",
                    "If the file was moved, move it back, or open it where it is now.");
    if (now != stamp)
        throw Error(ErrorKind::Usage, "file-changed",
                    "It was put out of memory, and its file has been written since: " + file.string() + ".",
                    "Open the file to see what it holds now.");
}

} // namespace

bool StoredRecording::isIn(const Recording& recording, const fs::path& file, FileStamp stamp) {
    return recording.otherRuns.empty() && stamp != FileStamp{} && FileStamp::of(file) == stamp;
}

StoredRecording::StoredRecording(const Recording& recording, fs::path file, FileStamp stamp)
    : m_parts{{recording, std::move(file), stamp}} {}

StoredRecording::StoredRecording(const Recording& recording, const fs::path& folder, const std::string& name,
                                 const RunControl& control)
    : m_isOurs(true) {
    try {
        write(recording, folder / (name + ".olab"), control);
        for (std::size_t i = 0; i < recording.otherRuns.size(); ++i)
            write(*recording.otherRuns[i], folder / (name + "-" + std::to_string(i + 1) + ".olab"), control);
    } catch (...) {
        removeFiles();
        throw;
    }
}

StoredRecording::~StoredRecording() {
    if (m_isOurs)
        removeFiles();
}

/// Without the report, which is computed again from the rest.
void StoredRecording::write(const Recording& recording, const fs::path& file, const RunControl& control) {
    const experiment::Experiment* experiment = recording.experiment ? &*recording.experiment : nullptr;
    io::writeRecording(file, recording.trace, experiment, recording.report.toolEffect, control, {}, {}, {},
                       recording.report.runs, recording.times);
    m_parts.push_back({recording, file, FileStamp::of(file)});
    m_bytes += m_parts.back().stamp.size;
}

void StoredRecording::removeFiles() noexcept {
    std::error_code ignored;
    for (const Part& part : m_parts)
        fs::remove(part.file, ignored);
}

std::shared_ptr<Recording> StoredRecording::readPart(const Part& part, const RunControl& control) {
    refuseChanged(part.file, part.stamp);
    auto recording =
        makeRecording(io::readRecording(part.file, control), part.notes.title, part.notes.live, control);
    static_cast<RecordingNotes&>(*recording) = part.notes;
    applyNotes(*recording);
    return recording;
}

RecordingPtr StoredRecording::read(const RunControl& control) const {
    auto recording = readPart(m_parts.front(), control);
    for (std::size_t i = 1; i < m_parts.size(); ++i)
        recording->otherRuns.push_back(readPart(m_parts[i], control));
    return recording;
}

} // namespace olab::recording
