// An unnamed file for data too large for memory: it disappears with this object, however the program ends. In
// TMPDIR.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace olab {

class ScratchFile {
public:
    /// `forWhat`: the file named by the user, for messages. @throws Error "cannot-read"
    explicit ScratchFile(const std::filesystem::path& forWhat);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    /// Appends. @throws Error "cannot-read" if there is no room
    void append(std::span<const std::byte> bytes);
    /// A path by which it can be opened while this exists.
    std::filesystem::path path() const;

private:
    std::filesystem::path m_forWhat;
    int m_descriptor = -1;
};

} // namespace olab
