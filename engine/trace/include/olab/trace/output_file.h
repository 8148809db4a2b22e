// The only way in which these programs write a file. It becomes visible only when complete: it is written
// under an unpredictable name next to the target (O_EXCL, O_NOFOLLOW), and renamed by commit(). A killed
// process leaves a temporary file that the next writer in this folder removes. A symbolic link stays one;
// mode, owner and other names (hard links) of a replaced file stay; a read-only file is refused, even for
// root, and so is a file that still grows in the hands of another writer: each holds its lock, which ends
// with it. A link is followed unless another user put it there. Terminals, pipes and devices (/dev/stdout, a
// FIFO) are written directly. Messages name the file as the user did. One thread at a time.
#pragma once

#include <olab/trace/error.h>
#include <olab/trace/run_control.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace olab {

class OutputFile {
public:
    enum class Kind {
        Whole,  ///< visible when committed, complete or not at all
        Growing ///< visible from the first commit() on, and grows with each write
    };
    /// `before`: a growing file of this process, whose place it may take.
    /// @throws Error "cannot-write" for problems that are known at this point
    explicit OutputFile(const std::filesystem::path& path, Kind kind = Kind::Whole,
                        const OutputFile* before = nullptr);
    /// If not committed, leaves no trace.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// @throws Error; a partial write of `bytes` is undone if possible
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Flushes to disk and gives the file its name. @throws Error
    void commit();
    const std::filesystem::path& path() const; ///< as it was given
    int descriptor() const; ///< used for writing, holds the lock; the same until destruction

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Writes a whole file at once. @throws Error "cannot-write"
void writeFile(const std::filesystem::path& path, std::string_view content);
/// A copy of a regular file, in blocks. @throws Error
void copyFile(const std::filesystem::path& from, const std::filesystem::path& to,
              const RunControl& control = {});
/// Before long work: refuses what writeFile() would refuse, without creating anything. @throws Error
void checkWritable(const std::filesystem::path& path);
/// Whether the path means the standard output of this process (/dev/stdout, /dev/fd/1, a link to them).
bool isStandardOutput(const std::filesystem::path& path);

} // namespace olab
