#include "overheard.h"

#include <olab/trace/error.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace olab::cli {
namespace {

void writeAllTo(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count <= 0)
            return; // nobody reads it
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

} // namespace

Overheard::Overheard(std::string sign)
    : m_sign(std::move(sign))
    , m_errors(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)) {
    std::array<int, 2> ends{-1, -1};
    if (m_errors < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(ErrorKind::Internal, "no-pipe", "There is no pipe for what the launched program says.");
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    sigset_t all, before; // signals are for the thread that waits for them
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_thread = std::jthread([this, from = ends[0]] { listen(from); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Overheard::~Overheard() {
    end();
    ::close(m_errors);
}

std::optional<std::string> Overheard::end() {
    if (m_thread.joinable()) {
        ::dup2(m_errors, STDERR_FILENO); // the last writer here
        m_thread.join();
    }
    return m_kept;
}

void Overheard::listen(int from) {
    std::string pending;
    std::array<char, 4096> buffer;
    for (ssize_t count = 0; (count = ::read(from, buffer.data(), buffer.size())) > 0;) {
        pending.append(buffer.data(), static_cast<std::size_t>(count));
        pass(pending, false);
    }
    pass(pending, true);
    ::close(from);
}

/// A line that has not ended is passed on, too, unless it may become one for us.
void Overheard::pass(std::string& pending, bool last) {
    for (std::size_t end = pending.find('\n'); end != pending.npos; end = pending.find('\n')) {
        if (pending.starts_with(m_sign))
            m_kept = pending.substr(m_sign.size(), end - m_sign.size());
        else
            writeAllTo(m_errors, std::string_view(pending).substr(0, end + 1));
        pending.erase(0, end + 1);
    }
    const std::size_t compared = std::min(pending.size(), m_sign.size());
    if (last || pending.compare(0, compared, m_sign, 0, compared) != 0) {
        writeAllTo(m_errors, pending);
        pending.clear();
    }
}

} // namespace olab::cli
