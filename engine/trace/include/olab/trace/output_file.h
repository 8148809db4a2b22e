// The one way in which these programs write a file. Nothing is seen of it until it is whole: it is written
// under a name nobody can guess beside the target (O_EXCL, O_NOFOLLOW), and renamed over it by commit(). Who
// is killed leaves a temporary that the next one in this folder removes. A symbolic link stays one; mode,
// owner and other names (hard links) of a replaced file stay; a read-only file is refused, by root too.
// Terminals, pipes and devices (/dev/stdout, a FIFO) are written straight. Messages name the file as the
// person did. Not for several threads at once.
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
        Whole,  ///< seen when committed, all of it or nothing
        Growing ///< seen from the first commit() on, and longer with each write
    };
    /// @throws Error "cannot-write" for all that can be known now
    explicit OutputFile(const std::filesystem::path& path, Kind kind = Kind::Whole);
    /// Not committed: as if it had never been.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// @throws Error; what was written of `bytes` is taken back where that is possible
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// On the disk, and under its name. @throws Error
    void commit();
    const std::filesystem::path& path() const; ///< as it was given
    int
    descriptor() const; ///< that it is written through, and that holds its lock; the same until it is gone

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// All of it at once. @throws Error "cannot-write"
void writeFile(const std::filesystem::path& path, std::string_view content);
/// A copy of a regular file, in blocks. @throws Error
void copyFile(const std::filesystem::path& from, const std::filesystem::path& to,
              const RunControl& control = {});
/// Before long work: refuses what writeFile() would refuse, and leaves nothing behind. @throws Error
void checkWritable(const std::filesystem::path& path);
/// Whether the path means the standard output of this process (/dev/stdout, /dev/fd/1, a link to them).
bool isStandardOutput(const std::filesystem::path& path);

} // namespace olab
