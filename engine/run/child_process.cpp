#include "child_process.h"

#include <olab/run/programs.h>

#include <olab/run/protocol.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace olab::run {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptOutput = 4096;

class SpawnActions {
public:
    SpawnActions() { posix_spawn_file_actions_init(&m_actions); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { posix_spawn_file_actions_destroy(&m_actions); }
    void connect(const Descriptor& from, int to) {
        posix_spawn_file_actions_adddup2(&m_actions, from.get(), to);
    }
    const posix_spawn_file_actions_t* get() const { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

/// A separate process group: Ctrl+C in a terminal reaches only the parent, which then ends the child
/// properly. Default signal mask, whatever mask the starting thread has.
class SpawnAttributes {
public:
    SpawnAttributes() {
        posix_spawnattr_init(&m_attributes);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&m_attributes, &none);
        posix_spawnattr_setsigdefault(&m_attributes, &all);
        posix_spawnattr_setpgroup(&m_attributes, 0);
        posix_spawnattr_setflags(&m_attributes,
                                 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    ~SpawnAttributes() { posix_spawnattr_destroy(&m_attributes); }
    const posix_spawnattr_t* get() const { return &m_attributes; }

private:
    posix_spawnattr_t m_attributes{};
};

bool sameName(std::string_view a, std::string_view b) {
    return a.substr(0, a.find('=')) == b.substr(0, b.find('='));
}

/// The child loads libraries by name (the driver, CUPTI): never from the working directory.
void addLibraryFolders(std::vector<std::string>& added) {
    constexpr std::string_view kName = "LD_LIBRARY_PATH";
    if (const char* list = std::getenv(kName.data()))
        added.push_back(std::string(kName) + "=" + absoluteFolders(list));
}

/// The environment of this process without the names in `added`, which come last.
std::vector<char*> environmentWith(std::vector<std::string>& added) {
    addLibraryFolders(added);
    std::vector<char*> all;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (std::none_of(added.begin(), added.end(), [entry](const auto& a) { return sameName(a, *entry); }))
            all.push_back(*entry);
    for (std::string& entry : added)
        all.push_back(entry.data());
    all.push_back(nullptr);
    return all;
}

int spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          std::vector<std::string> environment, const SpawnActions& actions) {
    std::string name = program.string();
    std::vector<std::string> copies = arguments;
    std::vector<char*> argv{name.data()};
    for (std::string& argument : copies)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    const SpawnAttributes attributes;
    pid_t pid = 0;
    const int error = posix_spawn(&pid, name.c_str(), actions.get(), attributes.get(), argv.data(),
                                  environmentWith(environment).data());
    if (error != 0)
        throw Error(ErrorKind::Internal, "no-engine",
                    "Cannot start the engine process " + name + ": " + std::strerror(error) + ".",
                    "The program 'olab' must lie beside this one or on PATH: reinstall Overlap Lab.");
    return pid;
}

/// A killed process can take long to exit (the driver frees its memory first), and nothing must wait for
/// that. The thread holds only the pid, so it may outlive everything else.
void reapInBackground(int pid) {
    try {
        std::thread([pid] {
            while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
            }
        }).detach();
    } catch (
        const std::system_error&) { // no thread available: one try, else init reaps it when this process ends
        ::waitpid(pid, nullptr, WNOHANG);
    }
}

/// Readable when the process has ended. Closed: there is none, or the system is too old.
Descriptor openPidfd(int pid) {
    return Descriptor(pid == 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

std::string endText(int status) {
    if (WIFSIGNALED(status))
        return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

} // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment) {
    Pipe jobs = makePipe(), events = makePipe(), output = makePipe();
    SpawnActions actions;
    actions.connect(jobs.read, STDIN_FILENO);
    actions.connect(output.write, STDOUT_FILENO);
    actions.connect(output.write, STDERR_FILENO);
    actions.connect(events.write, kEventDescriptor);
    m_pid = spawn(program, arguments, environment, actions);
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
