#include "piped_program.h"

#include <olab/run/captured_run.h>

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab::run {

using namespace std::chrono_literals;

PipedProgram::PipedProgram(const std::vector<std::string>& words, Terminal terminal) {
    Pipe in = makePipe(), out = makePipe(), err = makePipe();
    const GivenDescriptor given[] = {
        {in.read.get(), STDIN_FILENO}, {out.write.get(), STDOUT_FILENO}, {err.write.get(), STDERR_FILENO}};
    m_pid = spawnProgram(words.front(), {words.begin() + 1, words.end()}, {}, given, terminal);
    input = std::move(in.write);
    output = std::move(out.read);
    errors = std::move(err.read);
    setNonBlocking(output.get());
    setNonBlocking(errors.get());
}

PipedProgram::~PipedProgram() {
    if (m_pid == 0 || hasEnded())
        return;
    ::kill(m_pid, SIGTERM);
    reapInBackground(m_pid);
}

bool PipedProgram::hasEnded() {
    if (m_pid == 0)
        return true;
    int status = 0;
    const int result = ::waitpid(m_pid, &status, WNOHANG);
    if (result == 0 || (result < 0 && errno == EINTR))
        return false;
    m_pid = 0;
    m_status = result > 0 ? status : 0;
    return true;
}

bool PipedProgram::waitForEnd(std::chrono::milliseconds limit) {
    const auto until = std::chrono::steady_clock::now() + limit;
    while (!hasEnded()) {
        if (std::chrono::steady_clock::now() >= until)
            return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

void PipedProgram::end(int signal) {
    if (m_pid != 0)
        ::kill(m_pid, signal);
}

std::string lastLineOf(std::string_view text) {
    std::string last;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.remove_suffix(1);
        const bool isNews = !line.empty() && !line.starts_with("Warning: Permanently added");
        if (isNews)
            last = line;
    }
    return last;
}

} // namespace olab::run
