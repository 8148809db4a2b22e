#include "recording_cache.h"

#include "opened_recording.h"

#include <algorithm>
#include <system_error>

namespace olab::cli {

recording::RecordingPtr RecordingCache::open(const std::filesystem::path& file, bool steady) {
    std::error_code problem;
    std::filesystem::path whole = std::filesystem::weakly_canonical(file, problem);
    if (problem)
        whole = file;
    const recording::FileStamp stamp = recording::FileStamp::of(whole);
    const auto known = std::ranges::find(m_entries, whole, &Entry::file);
    Entry entry;
    if (known != m_entries.end()) {
        entry = *known;
        m_entries.erase(known);
    }
    if (!entry.recording || !(entry.stamp == stamp)) {
        entry = {}; // before the next is read: both may be large
        entry = {whole, stamp, openJudged(file, m_control)};
    }
    if (steady)
        recording::addAccount(*entry.recording, m_control);
    if (m_entries.size() >= kMost)
        m_entries.erase(m_entries.begin());
    m_entries.push_back(entry);
    return entry.recording;
}

std::vector<std::filesystem::path> RecordingCache::files() const {
    std::vector<std::filesystem::path> files;
    for (const Entry& entry : m_entries)
        files.push_back(entry.file);
    return files;
}

} // namespace olab::cli
