// Owned file descriptors and line reading for the two ends of the child protocol. Private to run.
#pragma once

#include <deque>
#include <string>
#include <utility>

namespace olab::run {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd)
        : m_fd(fd) {}
    Descriptor(Descriptor&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor() { close(); }
    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }
    void close();

private:
    int m_fd = -1;
};

struct Pipe {
    Descriptor read, write;
};
/// Both ends close on exec and are above the standard descriptors, so that dup2() onto 0..3 in a child can
/// never hit one of them.
/// @throws Error
Pipe makePipe();
void setNonBlocking(int fd);

enum class ReadState { Data, Nothing, End };
/// Appends the available data to `text`, at most 64 KiB. End: the other side has closed.
ReadState readSome(int fd, std::string& text);

/// Writes all of `text`; false if the reader has gone, never a SIGPIPE.
bool writeAll(int fd, std::string_view text);

/// Cuts a byte stream into lines.
class LineBuffer {
public:
    static constexpr std::size_t kMaxLine = std::size_t{8} << 20; // a job with recorded work
    /// @throws Error (bad-protocol) when a line grows past kMaxLine
    void append(std::string_view text);
    bool next(std::string& line);

private:
    std::deque<std::string> m_lines;
    std::string m_partial;
};

} // namespace olab::run
