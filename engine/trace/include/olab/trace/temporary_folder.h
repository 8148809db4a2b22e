// A private folder for files that are passed between processes or moved out of memory; removed with the
// object. Folders of killed processes are removed when the next one is created in the same place.
#pragma once

#include <filesystem>

namespace olab {

class TemporaryFolder {
public:
    /// In TMPDIR or /tmp, which may be in memory. @throws Error "no-temp"
    TemporaryFolder();
    /// @throws Error "no-temp"
    explicit TemporaryFolder(const std::filesystem::path& parent);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

    /// The place for large files: TMPDIR, else /var/tmp.
    static std::filesystem::path parentOnDisk();
    /// Removes the leftovers of killed processes there; empty: in TMPDIR or /tmp.
    static void sweep(const std::filesystem::path& parent = {});

private:
    std::filesystem::path m_path;
    int m_lock = -1; ///< locked while this exists: if the lock is free, the folder is abandoned
};

} // namespace olab
