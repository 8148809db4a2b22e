#include "traced_program.h"

#include <olab/trace/error.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace olab::cli {

void (*g_sizeLimitAtStart)(int) = SIG_DFL;

namespace {

namespace fs = std::filesystem;

constexpr std::array kPassedOn = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

bool mayRun(const std::string& file) {
    std::error_code failed;
    return fs::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0;
}

/// As execvp() looks for it; the first that is there, where none may be run.
std::string lookedUp(const std::string& name) {
    if (name.find('/') != name.npos)
        return name;
    const char* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "/bin:/usr/bin";
    std::string there;
    while (true) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string folder(rest.substr(0, end));
        const std::string file = (folder.empty() ? "." : folder) + "/" + name;
        std::error_code failed;
        if (mayRun(file))
            return file;
        if (there.empty() && fs::is_regular_file(file, failed))
            there = file;
        if (end == rest.size())
            return there;
        rest.remove_prefix(end + 1);
    }
}

/// The system then ignores what the environment says of libraries.
bool gainsRights(const std::string& file) {
    struct stat is {};
    if (::stat(file.c_str(), &is) != 0)
        return false;
    const bool otherUser = (is.st_mode & S_ISUID) != 0 && is.st_uid != ::geteuid();
    const bool otherGroup = (is.st_mode & S_ISGID) != 0 && is.st_gid != ::getegid();
    return otherUser || otherGroup || ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
}

/// Ours as they were before, kept for the program.
class Signals {
public:
    Signals() {
        sigemptyset(&m_taken);
        for (const int signal : kPassedOn)
            sigaddset(&m_taken, signal);
        sigaddset(&m_taken, SIGCHLD);
        ::sigaction(SIGCHLD, nullptr, &m_child);
        ::signal(SIGCHLD, SIG_DFL); // else nobody could wait for a child
        ::sigprocmask(SIG_BLOCK, &m_taken, &m_before);
    }
    ~Signals() { giveBack(); }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    void giveBack() const {
        ::sigaction(SIGCHLD, &m_child, nullptr);
        ::sigprocmask(SIG_SETMASK, &m_before, nullptr);
    }
    /// Passes one on, or returns because the child may have changed. What the terminal sends, the program got
    /// itself.
    void next(pid_t child, const std::function<void()>& nowAndThen) const {
        siginfo_t info{};
        constexpr timespec kPause{5, 0};
        const int signal =
            nowAndThen ? ::sigtimedwait(&m_taken, &info, &kPause) : ::sigwaitinfo(&m_taken, &info);
        if (nowAndThen)
            nowAndThen();
        if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL)
            ::kill(child, signal);
    }

private:
    sigset_t m_taken{}, m_before{};
    struct sigaction m_child {};
};

/// In the child: does not return.
[[noreturn]] void become(const std::vector<std::string>& words, const Variables& variables,
                         const Signals& signals, int tellFailure) {
    for (const auto& [name, value] : variables)
        ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    ::signal(SIGXFSZ, g_sizeLimitAtStart);
    signals.giveBack();
    ::execvp(pointers.front(), pointers.data());
    const int reason = errno;
    (void)!::write(tellFailure, &reason, sizeof reason);
    ::_exit(127);
}

ProgramEnd await(pid_t child, const Signals& signals, const std::function<void()>& nowAndThen) {
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) != child)
        signals.next(child, nowAndThen);
    if (WIFSIGNALED(status))
        return {128 + WTERMSIG(status), WTERMSIG(status), child};
    return {WEXITSTATUS(status), 0, child};
}

[[noreturn]] void notStarted(const std::string& name, int reason) {
    throw Error(ErrorKind::Usage, "not-started",
                "'" + name + "' could not be started: " + std::strerror(reason) + ".",
                reason == ENOEXEC ? "Name the interpreter before it." : "Try it without olab trace.");
}

} // namespace

void checkProgram(const std::vector<std::string>& words) {
    const std::string& name = words.front();
    const std::string file = lookedUp(name);
    std::error_code failed;
    if (file.empty() || !fs::exists(file, failed))
        throw Error(ErrorKind::Usage, "no-program", "There is no program '" + name + "'.",
                    "Check its name; one in this folder is written ./" + fs::path(name).filename().string() +
                        ".");
    if (!mayRun(file))
        throw Error(ErrorKind::Usage, "not-executable", "'" + file + "' is not executable.",
                    "Make it so (chmod +x), or name the interpreter before it: python3 " + name + ".");
    if (gainsRights(file))
        throw Error(ErrorKind::Usage, "set-user-id",
                    "'" + file +
                        "' runs with the rights of another user (setuid, setgid or capabilities): the "
                        "system loads no library of ours into it.",
                    "Run a copy without those rights, or run olab trace as that user.");
}

ProgramEnd runProgram(const std::vector<std::string>& words, const std::function<Variables(pid_t)>& variables,
                      const std::function<void(const ProgramEnd&)>& atEnd,
                      const std::function<void()>& nowAndThen) {
    int failure[2] = {-1, -1};
    if (::pipe2(failure, O_CLOEXEC) != 0)
        notStarted(words.front(), errno);
    const Signals signals;
    const pid_t child = ::fork();
    if (child == 0)
        become(words, variables(::getpid()), signals, failure[1]);
    const int forkFailed = child < 0 ? errno : 0;
    ::close(failure[1]);
    int reason = forkFailed;
    const bool failed = forkFailed != 0 || ::read(failure[0], &reason, sizeof reason) == sizeof reason;
    ::close(failure[0]);
    if (failed) {
        if (child > 0)
            ::waitpid(child, nullptr, 0);
        notStarted(words.front(), reason);
    }
    const ProgramEnd end = await(child, signals, nowAndThen);
    if (atEnd)
        atEnd(end);
    return end;
}

} // namespace olab::cli
