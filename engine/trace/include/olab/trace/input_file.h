// A file as a user of Unix gives it. What is a pipe (a FIFO, /dev/stdin, <(...)) is read to its end first,
// within a bound and until it is cancelled; pipes where nobody could cancel, devices and folders are refused
// with a sentence. Nothing here waits where a cancel is not seen.
#pragma once

#include <olab/trace/error.h>
#include <olab/trace/run_control.h>
#include <olab/trace/scratch_file.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace olab {

class InputFile {
public:
    /// Opens it, and reads the first bytes. @throws Error "cannot-read", or when cancelled
    explicit InputFile(const std::filesystem::path& path, const RunControl& control = {});
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    /// The first 4 KiB, or all there is.
    std::span<const std::byte> head() const { return m_head; }
    /// The path of a regular file with all of it: the file itself, or where the rest of the pipe was kept,
    /// which is gone with this. @throws Error when there is more than `most`, or when cancelled
    std::filesystem::path whole(std::uint64_t most, const RunControl& control = {});
    /// The next bytes, from the first one on; 0 at the end. Not to be mixed with whole().
    /// @throws Error "cannot-read", or when cancelled
    std::size_t read(std::span<std::byte> into, const RunControl& control = {});
    /// Bytes of a regular file; of a pipe nobody knows.
    std::optional<std::uint64_t> size() const { return m_size; }
    /// As it was given.
    const std::filesystem::path& path() const { return m_path; }

private:
    std::size_t readSome(std::span<std::byte> into, const RunControl& control);
    void readHead(const RunControl& control);
    void keepRest(std::uint64_t most, const RunControl& control);
    std::filesystem::path m_path;
    std::vector<std::byte> m_head;
    int m_descriptor = -1;
    std::unique_ptr<ScratchFile> m_kept;
    std::size_t m_given = 0; ///< of the head, to read()
    bool m_isPipe = false;
    std::optional<std::uint64_t> m_size;
};

/// All of a small file, such as settings or a model. @throws Error "cannot-read"
std::string readTextFile(const std::filesystem::path& path, const RunControl& control = {},
                         std::uint64_t most = std::uint64_t{16} << 20);

} // namespace olab
