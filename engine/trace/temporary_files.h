// Files that are not there yet: made under a random name, locked while their writer lives, so that those of
// the dead are known and removed. Private to trace.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace olab::trace_detail {

class Temporary {
public:
    /// A new empty file in `folder`, of this mode less the umask; those that nobody writes any more go.
    /// @returns nothing, and why in `reason` (errno)
    static std::optional<Temporary> in(const std::filesystem::path& folder, unsigned mode, int& reason);
    Temporary(Temporary&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
        , m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    Temporary& operator=(Temporary&& other) noexcept;
    ~Temporary() { discard(); }
    int descriptor() const { return m_descriptor; }
    /// It stays open, under its new name. @returns 0 or errno
    int renameTo(const std::filesystem::path& target);

private:
    Temporary(std::filesystem::path path, int descriptor)
        : m_path(std::move(path))
        , m_descriptor(descriptor) {}
    void discard();
    std::filesystem::path m_path; ///< empty: it has another name now
    int m_descriptor = -1;
};

} // namespace olab::trace_detail
