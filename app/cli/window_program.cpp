#include "window_program.h"

#include <olab/run/programs.h>
#include <olab/trace/error.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

fs::path windowProgram() {
    if (const fs::path found = run::findProgram("overlap-lab"); !found.empty())
        return found;
    throw Error(ErrorKind::Usage, "no-window-program",
                "Pictures are made by the window program, overlap-lab, which was not found beside olab or on "
                "PATH.",
                "Install it, or build with Qt (-DOLAB_UI=ON); olab analyze says the verdicts without it.");
}

/// Ctrl+C reaches both; this one waits to say how it ended.
int awaitEnd(pid_t child) {
    std::signal(SIGINT, SIG_IGN);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::signal(SIGINT, SIG_DFL);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    const int signal = WTERMSIG(status);
    if (signal == SIGINT || signal == SIGTERM)
        throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
    throw Error(ErrorKind::Internal, "render-crashed",
                std::string("overlap-lab ended by a signal: ") + ::strsignal(signal) + ".",
                "Try a smaller part (--from, --to) or width; the memory may be full.");
}

} // namespace

int runWindowProgram(const std::vector<std::string>& given) {
    const fs::path program = windowProgram();
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), given.begin(), given.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    ::setenv("QT_LOGGING_RULES", "default.warning=false",
             0); // Qt misses a session's folder; nothing else does
    pid_t child = 0;
    if (const int failed = ::posix_spawn(&child, program.c_str(), nullptr, nullptr, pointers.data(), environ))
        throw Error(ErrorKind::Usage, "no-window-program",
                    program.string() + " cannot be started: " + std::strerror(failed) + ".",
                    "Install overlap-lab again.");
    return awaitEnd(child);
}

} // namespace olab::cli
