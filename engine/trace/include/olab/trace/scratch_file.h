// A file without a name, for what is too large for memory: gone with this, however the program ends. In
// TMPDIR.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace olab {

class ScratchFile {
public:
    /// `forWhat`: the file that a person named, for messages. @throws Error "cannot-read"
    explicit ScratchFile(const std::filesystem::path& forWhat);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    /// Appends. @throws Error "cannot-read" when there is no room
    void append(std::span<const std::byte> bytes);
    /// By which it can be opened while this lives.
    std::filesystem::path path() const;

private:
    std::filesystem::path m_forWhat;
    int m_descriptor = -1;
};

} // namespace olab
