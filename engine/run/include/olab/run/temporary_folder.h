// A private folder for files that pass from process to process, or are put out of memory; gone with the
// object. Those of processes that were killed go when the next one is made in the same place.
#pragma once

#include <filesystem>

namespace olab {

class TemporaryFolder {
public:
    /// In TMPDIR or /tmp, which may be memory. @throws Error "no-temp"
    TemporaryFolder();
    /// @throws Error "no-temp"
    explicit TemporaryFolder(const std::filesystem::path& parent);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

    /// Where what is large belongs: TMPDIR, else /var/tmp.
    static std::filesystem::path parentOnDisk();
    /// Removes what killed processes left there.
    static void sweep(const std::filesystem::path& parent);

private:
    std::filesystem::path m_path;
    int m_lock = -1; ///< held while this lives: who can take it finds an abandoned folder
};

} // namespace olab
