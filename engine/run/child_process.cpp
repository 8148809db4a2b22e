#include "child_process.h"

#include "spawn.h"

#include <olab/run/protocol.h>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace olab::run {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestFarewell = 3000ms; ///< destroying the context of a large device takes a while
constexpr auto kExitPatience = 15s;
constexpr auto kWatchSlice = 20ms; ///< how long a cancel may go unnoticed

bool ends(const Descriptor& process, std::chrono::milliseconds within, const RunControl& control) {
    pollfd watched{process.get(), POLLIN, 0};
    const auto end = std::chrono::steady_clock::now() + within;
    while (::poll(&watched, 1, static_cast<int>(kWatchSlice.count())) == 0) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        control.throwIfCancelled();
    }
    return true;
}

} // namespace

void Departure::add(Descriptor process) {
    std::erase_if(m_leaving, [](const Descriptor& one) {
        pollfd watched{one.get(), POLLIN, 0};
        return ::poll(&watched, 1, 0) != 0;
    });
    if (process.isOpen())
        m_leaving.push_back(std::move(process));
}

void Departure::await(const RunControl& control) {
    while (!m_leaving.empty()) {
        const Descriptor& process = m_leaving.back();
        if (!ends(process, kLongestFarewell, control)) {
            ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
            ends(process, kExitPatience, control);
        }
        m_leaving.pop_back();
    }
}

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptOutput = 4096;

} // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment) {
    Pipe jobs = makePipe(), events = makePipe(), output = makePipe();
    const GivenDescriptor given[] = {{jobs.read.get(), STDIN_FILENO},
                                     {output.write.get(), STDOUT_FILENO},
                                     {output.write.get(), STDERR_FILENO},
                                     {events.write.get(), kEventDescriptor}};
    m_pid = spawnProgram(program, arguments, environment, given);
    m_jobs = std::move(jobs.write);
    m_events = std::move(events.read);
    m_output = std::move(output.read);
    setNonBlocking(m_events.get());
    setNonBlocking(m_output.get());
}

ChildProcess::~ChildProcess() {
    kill();
}

bool ChildProcess::send(std::string_view line) {
    return m_jobs.isOpen() && writeAll(m_jobs.get(), line);
}

void ChildProcess::drainOutput() {
    while (m_output.isOpen()) {
        const ReadState state = readSome(m_output.get(), m_lastOutput);
        if (m_lastOutput.size() > kKeptOutput)
            m_lastOutput.erase(0, m_lastOutput.size() - kKeptOutput);
        if (state == ReadState::End)
            m_output.close();
        if (state != ReadState::Data)
            return;
    }
}

bool ChildProcess::wait(std::chrono::milliseconds limit) {
    if (!m_events.isOpen())
        return false;
    // A closed output pipe has the number -1, which poll() skips.
    pollfd watched[] = {{m_events.get(), POLLIN, 0}, {m_output.get(), POLLIN, 0}};
    if (::poll(watched, 2, static_cast<int>(limit.count())) <= 0)
        return true;
    if (watched[1].revents != 0)
        drainOutput();
    if (watched[0].revents == 0)
        return true;
    std::string text;
    const ReadState state = readSome(m_events.get(), text);
    m_lines.append(text);
    if (state == ReadState::End)
        m_events.close();
    return state != ReadState::End;
}

bool ChildProcess::hasEnded() {
    if (m_pid == 0)
        return true;
    int status = 0;
    const int result = ::waitpid(m_pid, &status, WNOHANG);
    if (result == 0 || (result < 0 && errno == EINTR))
        return false;
    m_pid = 0;
    if (result > 0)
        m_status = status;
    return true;
}

bool ChildProcess::waitForEnd(std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!hasEnded()) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        drainOutput(); // a child that still prints must not hang on a full pipe
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

void ChildProcess::finish(std::chrono::milliseconds limit) {
    m_jobs.close();
    if (!waitForEnd(limit))
        kill();
}

void ChildProcess::kill() {
    if (m_pid == 0 || hasEnded())
        return;
    ::kill(m_pid, SIGKILL);
    if (!hasEnded())
        reapInBackground(std::exchange(m_pid, 0));
}

Descriptor ChildProcess::leave(std::chrono::milliseconds limit) {
    Descriptor end = openPidfd(m_pid);
    m_jobs.close();
    if (!end.isOpen())
        finish(limit);
    else if (!hasEnded())
        reapInBackground(std::exchange(m_pid, 0));
    return end;
}

Descriptor ChildProcess::killAndTell() {
    Descriptor end = openPidfd(m_pid);
    kill();
    return end;
}

std::string ChildProcess::obituary() {
    constexpr auto kPatience = 2s; // its pipe is closed, so it is exiting; a core dump may take a moment
    if (!waitForEnd(kPatience))
        kill();
    drainOutput();
    std::string text = m_status ? endText(*m_status) : "closed its connection and did not end";
    if (!m_lastOutput.empty())
        text += "; its last output: " + m_lastOutput;
    return text;
}

std::optional<int> ChildProcess::exitCode() const {
    return m_status && WIFEXITED(*m_status) ? std::optional(WEXITSTATUS(*m_status)) : std::nullopt;
}

} // namespace olab::run
