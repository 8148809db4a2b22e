// Recordings that were asked for a moment ago, so that many small questions of one cost one reading.
#pragma once

#include <olab/recording/recording.h>

#include <filesystem>
#include <memory>
#include <vector>

namespace olab::cli {

class RecordingCache {
public:
    static constexpr std::size_t kMost = 4; ///< kept; the one that was not asked for longest goes first
    /// Of what is read from now on.
    void setControl(RunControl control) { m_control = std::move(control); }
    const RunControl& control() const { return m_control; }
    /// Read again where the file has changed meanwhile. `steady`: with the account and the repeating
    /// iteration of large recordings too. @throws Error where it is no regular file, cannot be read,
    /// or is not wanted any more
    recording::RecordingPtr open(const std::filesystem::path& file, bool steady);
    std::vector<std::filesystem::path> files() const;

private:
    struct Entry {
        std::filesystem::path file;
        recording::FileStamp stamp;
        std::shared_ptr<recording::Recording> recording;
    };
    std::vector<Entry> m_entries; ///< the latest last
    RunControl m_control;
};

} // namespace olab::cli
