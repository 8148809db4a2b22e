#include "spawn.h"

#include <olab/run/programs.h>
#include <olab/run/shell.h>
#include <olab/trace/error.h>

#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

extern char** environ;

namespace olab::run {
namespace {

class SpawnActions {
public:
    explicit SpawnActions(std::span<const GivenDescriptor> descriptors) {
        posix_spawn_file_actions_init(&m_actions);
        for (const GivenDescriptor& one : descriptors)
            posix_spawn_file_actions_adddup2(&m_actions, one.ours, one.theirs);
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { posix_spawn_file_actions_destroy(&m_actions); }
    const posix_spawn_file_actions_t* get() const { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

class SpawnAttributes {
public:
    explicit SpawnAttributes(Terminal terminal) {
        posix_spawnattr_init(&m_attributes);
        sigset_t none, defaults;
        sigemptyset(&none);
        sigfillset(&defaults);
        short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        if (terminal == Terminal::Shared)
            sigdelset(&defaults, SIGINT);
        else
            flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setsigmask(&m_attributes, &none);
        posix_spawnattr_setsigdefault(&m_attributes, &defaults);
        posix_spawnattr_setpgroup(&m_attributes, 0);
        posix_spawnattr_setflags(&m_attributes, flags);
    }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    ~SpawnAttributes() { posix_spawnattr_destroy(&m_attributes); }
    const posix_spawnattr_t* get() const { return &m_attributes; }

private:
    posix_spawnattr_t m_attributes{};
};

/// What is ignored when a program starts stays ignored in it.
class IgnoredInterrupt {
public:
    explicit IgnoredInterrupt(Terminal terminal)
        : m_isShared(terminal == Terminal::Shared)
        , m_before(m_isShared ? std::signal(SIGINT, SIG_IGN) : SIG_DFL) {}
    IgnoredInterrupt(const IgnoredInterrupt&) = delete;
    IgnoredInterrupt& operator=(const IgnoredInterrupt&) = delete;
    ~IgnoredInterrupt() {
        if (m_isShared)
            std::signal(SIGINT, m_before);
    }

private:
    bool m_isShared;
    void (*m_before)(int);
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

} // namespace

int spawnProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 std::vector<std::string> environment, std::span<const GivenDescriptor> descriptors,
                 Terminal terminal) {
    std::string name = program.string();
    std::vector<std::string> copies = arguments;
    std::vector<char*> argv{name.data()};
    for (std::string& argument : copies)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    const SpawnActions actions(descriptors);
    const SpawnAttributes attributes(terminal);
    const IgnoredInterrupt ignored(terminal);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, name.c_str(), actions.get(), attributes.get(), argv.data(),
                                  environmentWith(environment).data());
    if (error != 0)
        throw Error(ErrorKind::Internal, "no-engine",
                    "Cannot start the engine process " + name + ": " + std::strerror(error) + ".",
                    "The program 'olab' must lie beside this one or on PATH: reinstall Overlap Lab.");
    return pid;
}

/// The thread holds only the pid, so it may outlive everything else.
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

Descriptor openPidfd(int pid) {
    return Descriptor(pid == 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

std::string endText(int status) {
    if (WIFSIGNALED(status))
        return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

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
