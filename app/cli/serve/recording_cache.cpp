#include "recording_cache.h"

#include "time_slice.h"

#include <olab/trace/error.h>

#include <algorithm>
#include <system_error>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

/// Of a pipe nobody knows when it ends, and standard input has what the client says next.
void refuseUnlessRegular(const fs::path& file) {
    std::error_code problem;
    const fs::file_status is = fs::status(file, problem);
    if (fs::exists(is) && !fs::is_regular_file(is))
        throw Error(ErrorKind::Usage, "cannot-read",
                    "Cannot read " + file.string() + ": it is no regular file.",
                    "Name a file that has the whole recording.");
}

} // namespace

recording::RecordingPtr RecordingCache::open(const std::filesystem::path& file, bool steady) {
    refuseUnlessRegular(file);
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
