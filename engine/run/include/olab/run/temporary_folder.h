// A private folder for files that pass from process to process, in TMPDIR or /tmp; gone with the object.
// Those of processes that were killed go when the next one is made.
#pragma once

#include <filesystem>

namespace olab {

class TemporaryFolder {
public:
    /// @throws Error "no-temp"
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
    int m_lock = -1; ///< held while this lives: who can take it finds an abandoned folder
};

} // namespace olab
