#include "pipes.h"

#include <olab/trace/error.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace olab::run {
namespace {

constexpr int kFirstFree = 10; ///< above stdin, stdout, stderr and the event descriptor

[[noreturn]] void pipeFailed() {
    throw Error(ErrorKind::Internal, "no-pipe",
                std::string("Cannot make a pipe to the engine process: ") + std::strerror(errno) + ".",
                "Close other programs, or raise the limit of open files (ulimit -n).");
}

Descriptor moveUp(Descriptor fd) {
    if (fd.get() >= kFirstFree)
        return fd;
    Descriptor moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFree));
    if (!moved.isOpen())
        pipeFailed();
    return moved;
}

/// SIGPIPE cannot be disabled per call for pipes: it is blocked for this thread, and a signal caused here is
/// consumed.
class WithoutSigpipe {
public:
    WithoutSigpipe() {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    WithoutSigpipe(const WithoutSigpipe&) = delete;
    WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;
    ~WithoutSigpipe() {
        const timespec now{};
        while (!m_wasPending && sigtimedwait(&m_pipe, nullptr, &now) < 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    sigset_t m_pipe{}, m_before{};
    bool m_wasPending = false;
};

} // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

void Descriptor::close() {
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

Pipe makePipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        pipeFailed();
    Descriptor read(ends[0]), write(ends[1]);
    return {moveUp(std::move(read)), moveUp(std::move(write))};
}

void setNonBlocking(int fd) {
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

ReadState readSome(int fd, std::string& text) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    if (count > 0)
        return ReadState::Data;
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? ReadState::Nothing : ReadState::End;
}

bool writeAll(int fd, std::string_view text) {
    const WithoutSigpipe guard;
    while (!text.empty()) {
        const ssize_t count = ::write(fd, text.data(), text.size());
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (count < 0 && errno != EINTR)
            return false;
    }
    return true;
}

void LineBuffer::append(std::string_view text) {
    for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        m_lines.push_back(m_partial + std::string(text.substr(0, end)));
        m_partial.clear();
        text.remove_prefix(end + 1);
    }
    m_partial += text;
    if (m_partial.size() > kMaxLine)
        throw Error(ErrorKind::Internal, "bad-protocol", "The other process sent a line of more than 1 MiB.",
                    "Both programs must be of the same version: reinstall Overlap Lab.");
}

bool LineBuffer::next(std::string& line) {
    if (m_lines.empty())
        return false;
    line = std::move(m_lines.front());
    m_lines.pop_front();
    return true;
}

} // namespace olab::run
