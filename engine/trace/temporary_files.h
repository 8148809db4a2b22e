// Temporary files: created with a random name, locked while their writer lives, so that abandoned ones are
// recognised and removed. The lock stays with a file that has its name: shared, it only keeps cleaners away;
// exclusive, it says that the file grows. Private to trace.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace olab::trace_detail {

class Temporary {
public:
    /// Creates an empty file in `folder`, with this mode minus the umask and this lock (LOCK_SH or LOCK_EX);
    /// removes abandoned ones. @returns nothing on failure, with the reason in `reason` (errno)
    static std::optional<Temporary> in(const std::filesystem::path& folder, unsigned mode, int lock,
                                       int& reason);
    Temporary(Temporary&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
        , m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    Temporary& operator=(Temporary&& other) noexcept;
    ~Temporary() { discard(); }
    int descriptor() const { return m_descriptor; }
    /// Renames it; it stays open. @returns 0 or errno
    int renameTo(const std::filesystem::path& target) { return rename(target, 0); }
    /// The same, but EEXIST where the target exists (and the file system can tell).
    int renameToNew(const std::filesystem::path& target);

private:
    Temporary(std::filesystem::path path, int descriptor)
        : m_path(std::move(path))
        , m_descriptor(descriptor) {}
    int rename(const std::filesystem::path& target, unsigned flags);
    void discard();
    std::filesystem::path m_path; ///< empty: it was renamed
    int m_descriptor = -1;
};

} // namespace olab::trace_detail
