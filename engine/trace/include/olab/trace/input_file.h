// An unnamed file for data too large for memory: it disappears with this object, however the program ends. In
// TMPDIR.
#pragma once

#include <olab/trace/error.h>
#include <olab/trace/run_control.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// An input file as given by a Unix user. A pipe (a FIFO, /dev/stdin, <(...)) is first read to its end, up to
/// a limit and until cancelled; pipes that could not be cancelled or that nobody writes within ten seconds,
/// devices and folders are refused with a message. Nothing here blocks without checking for cancellation.
class InputFile {
public:
    /// Opens it and reads the first bytes. @throws Error "cannot-read", or when cancelled
    explicit InputFile(const std::filesystem::path& path, const RunControl& control = {});
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    /// The first 4 KiB, or everything if it is shorter.
    std::span<const std::byte> head() const { return m_head; }
    /// The path of a regular file with the whole content: the file itself, or a copy of the pipe's data,
    /// which is removed with this object. @throws Error if there is more than `most`, or when cancelled
    std::filesystem::path whole(std::uint64_t most, const RunControl& control = {});
    /// The next bytes, from the first one on; 0 at the end. Not to be mixed with whole().
    /// @throws Error "cannot-read", or when cancelled
    std::size_t read(std::span<std::byte> into, const RunControl& control = {});
    /// Bytes of a regular file; unknown for a pipe.
    std::optional<std::uint64_t> size() const { return m_size; }
    /// As given by the user.
    const std::filesystem::path& path() const { return m_path; }

private:
    std::size_t readSome(std::span<std::byte> into, const RunControl& control);
    void readHead(const RunControl& control);
    void keepRest(std::uint64_t most, const RunControl& control);
    std::filesystem::path m_path;
    std::vector<std::byte> m_head;
    int m_descriptor = -1;
    std::unique_ptr<ScratchFile> m_kept;
    std::size_t m_given = 0; ///< bytes of the head already given to read()
    bool m_isPipe = false;
    bool m_isWritten = false; ///< a pipe: somebody has opened it to write
    std::optional<std::uint64_t> m_size;
};

/// The whole of a small file, such as settings or a model. @throws Error "cannot-read"
std::string readTextFile(const std::filesystem::path& path, const RunControl& control = {},
                         std::uint64_t most = std::uint64_t{16} << 20);

} // namespace olab
