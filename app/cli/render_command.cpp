// Pictures are the window program's: it is started where nobody sees it, since this program contains no Qt.
#include "command.h"
#include "time_slice.h"

#include <olab/run/programs.h>
#include <olab/trace/error.h>

#include <algorithm>
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

constexpr OptionSpec kRenderOptions[] = {
    {"--width", "", "N", "how wide, in pixels: 640 to 8192; 1280 if not given, 1920 with 16:9"},
    {"--format", "", "tall|16:9", "as high as it takes to show every row, or a slide; tall if not given"},
    {"--theme", "", "light|dark", "the colours; light if not given"},
    {"--projector", "", "", "type of 18 pt or more, thick lines, high contrast: to be read across a room"},
    {"--from", "", "T", "show only from T on (2ms, 350us), counted from the first device work"},
    {"--to", "", "T", "... and until T; the verdicts stay those of the whole run"},
};

fs::path windowProgram() {
    if (const fs::path found = findProgram("overlap-lab"); !found.empty())
        return found;
    throw Error(ErrorKind::Usage, "no-window-program",
                "Pictures are made by the window program, overlap-lab, which was not found beside olab or on "
                "PATH.",
                "Install it, or build with Qt (-DOLAB_UI=ON); olab analyze says the verdicts without it.");
}

std::string partOf(const TimeSlice& slice) {
    const TimeSlice whole;
    return (slice.begin == whole.begin ? "" : std::to_string(slice.begin)) + ":" +
           (slice.end == whole.end ? "" : std::to_string(slice.end));
}

std::vector<std::string> wordsOf(const Arguments& arguments, const fs::path& program) {
    const TimeSlice slice = TimeSlice::from(arguments);
    std::vector<std::string> words{program.string(), "--picture=" + arguments.positional()[1]};
    for (const char* const name : {"--width", "--format", "--theme"})
        if (arguments.has(name))
            words.push_back(std::string(name) + "=" + arguments.value(name));
    if (arguments.has("--projector"))
        words.push_back("--projector");
    if (!slice.isEverything())
        words.push_back("--part=" + partOf(slice));
    words.insert(words.end(), {"--", arguments.positional()[0]});
    return words;
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

int runRender(const Arguments& arguments) {
    const fs::path program = windowProgram();
    std::vector<std::string> words = wordsOf(arguments, program);
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

} // namespace

extern const Command kRenderCommand{
    "render",
    "FILE OUT.{png,svg,pdf,html} [--width N] [--format tall|16:9] [--theme light|dark] [--projector] [--from "
    "T] [--to T]",
    "Makes a picture of a recording: lanes, verdicts, settings, legend.",
    "The ending of OUT decides: a PNG, an SVG or PDF whose text stays text, or a page of HTML that\n"
    "needs no network, in which the reader zooms and asks for details, of 200000 activities at most.",
    kRenderOptions,
    2,
    2,
    runRender};

} // namespace olab::cli
