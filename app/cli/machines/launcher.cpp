#include "launcher.h"

#include "command.h"
#include "engines.h"
#include "traced_program.h"

#include <olab/run/programs.h>
#include <olab/run/shell.h>
#include <olab/trace/error.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace olab::cli {
namespace {

// What is said on standard error by a program that we run, passed on at once, but for one kind of line that
// is for us.

/// As long as it lives, standard error of this process and of the programs that it starts goes through it.
class Overheard {
public:
    /// Lines that begin with `sign` are kept, not passed on.
    explicit Overheard(std::string sign);
    ~Overheard(); ///< waits until all has been passed on
    Overheard(const Overheard&) = delete;
    Overheard& operator=(const Overheard&) = delete;
    /// What follows the sign in the last such line, once nobody writes there any more.
    std::optional<std::string> end();

private:
    void listen(int from);
    void pass(std::string& pending, bool last);
    std::string m_sign;
    std::optional<std::string> m_kept;
    int m_errors = -1; ///< the real one
    std::jthread m_thread;
};

void writeAllTo(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count <= 0)
            return; // nobody reads it
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

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

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view kSlurm = "slurm";

/// What launches may end with any code, 0 too when a node dies: only this line says that olab came to its
/// end.
constexpr std::string_view kEnded = "olab-ended ";
constexpr std::string_view kRun = R"sh("$@"
c=$?
echo "olab-ended $c" >&2
exit $c)sh";

std::vector<std::string> onANode(const Arguments& arguments, const std::vector<std::string>& words) {
    const std::string launcher = arguments.value("--launcher");
    const std::vector<std::string> options = slurmOptions(arguments);
    if (launcher != kSlurm)
        return {"/bin/sh", "-c", launchedBy(launcher, words)};
    std::vector<std::string> list{slurmProgram("srun"), "--nodes=1", "--ntasks=1", "--quit-on-interrupt"};
    list.insert(list.end(), options.begin(), options.end());
    list.insert(list.end(), words.begin(), words.end());
    return list;
}

/// Whether what stands there is a word of the command, for the shell that reads it first: not within quotes,
/// a comment, or a text for another program (<<), where quotes of ours would be letters of that text.
bool isPlainPlace(std::string_view command, std::size_t place) {
    char within = '\0'; // a quote, or # until the end of the line
    for (std::size_t at = 0; at < place; ++at) {
        const char c = command[at];
        const std::string_view two = command.substr(at, 2);
        if (within == '\0' ? two == "<<" || two == "$'" : within == '"' && (two == "$(" || c == '`'))
            return false; // these have rules of their own
        if (c == '\\' && within != '\'' && within != '#' && ++at == place)
            return false;
        if (within != '\0')
            within = command[at] == (within == '#' ? '\n' : within) && c != '\\' ? '\0' : within;
        else if (c == '\'' || c == '"')
            within = c;
        else if (c == '#' && (at == 0 || std::string_view(" \t\n;&|(").find(command[at - 1]) != command.npos))
            within = c;
    }
    return within == '\0';
}

/// Shared folders show what another node wrote a little later.
bool arrives(const fs::path& file) {
    std::error_code failed;
    for (auto waited = 0ms; waited < 10s; waited += 100ms) {
        if (fs::exists(file, failed))
            return true;
        std::this_thread::sleep_for(100ms);
    }
    return false;
}

/// Not one of ours: what launches has failed, and has said why.
[[noreturn]] void throwNotRun(const std::string& launcher, const ProgramEnd& end) {
    throw Error(ErrorKind::DeviceFailed, "launcher-failed",
                launcher + " ended with exit code " + std::to_string(end.code) +
                    ", and olab did not come to its end on a node.",
                "What it says above is the reason. Run it again.");
}

} // namespace

std::vector<std::string> slurmOptions(const Arguments& arguments) {
    std::vector<std::string> options;
    for (const std::string_view name : {"--partition", "--account", "--gpus"}) {
        if (!arguments.has(name))
            continue;
        if (arguments.value("--launcher") != kSlurm)
            throw Error(ErrorKind::Usage, "bad-usage", std::string(name) + " is for --launcher slurm.",
                        "Write it into your own command, or leave it out.");
        options.push_back(std::string(name) + "=" + arguments.value(name));
    }
    return options;
}

std::string slurmProgram(const char* name) {
    const fs::path program = run::findProgram(name);
    if (program.empty())
        throw Error(ErrorKind::NoDevice, "no-slurm", std::string("There is no ") + name + " on this machine.",
                    "Run it on a machine from which jobs are submitted (a login node).");
    return program.string();
}

std::string launchedBy(const std::string& command, const std::vector<std::string>& words) {
    const std::string quoted = run::shellQuoted(words);
    const std::size_t at = command.find("{}");
    if (!isPlainPlace(command, std::min(at, command.size())))
        throw Error(
            ErrorKind::Usage, "bad-launcher",
            at == command.npos ? "--launcher ends within quotes, or in a text for another program."
                               : "{} stands within quotes in --launcher, or in a text for another program.",
            "Write it outside: it is replaced by words that are quoted already. A shell takes them so: "
            "sh -c '... \"$@\"' sh {}");
    return at == command.npos ? command + " " + quoted
                              : command.substr(0, at) + quoted + command.substr(at + 2);
}

int runLaunched(const char* command, const Arguments& arguments) {
    if (arguments.has("--on"))
        throw Error(ErrorKind::Usage, "two-places", "--on and --launcher both say where it runs.",
                    "Leave out one; on another machine with a batch system, run olab there.");
    if (arguments.value("--launcher").empty())
        throw Error(ErrorKind::Usage, "bad-launcher", "--launcher needs slurm or a command.");
    std::vector<std::string> words{"/bin/sh", "-c", std::string(kRun), "olab", engineProgram().string(),
                                   command};
    const std::vector<std::string> rest = arguments.without(kLauncherOptions);
    words.insert(words.end(), rest.begin(), rest.end());
    Overheard errors{std::string(kEnded)};
    const ProgramEnd end = runProgram(onANode(arguments, words), [](pid_t) { return Variables(); });
    const std::optional<std::string> ended = errors.end();
    if (!ended && (end.signal > 0 || end.code >= 128))
        throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
    if (!ended)
        throwNotRun(arguments.value("--launcher"), end);
    const int code = std::atoi(ended->c_str());
    const fs::path file = arguments.value("--output");
    if (!file.empty() && code <= 1 && !arrives(file))
        throw Error(ErrorKind::Usage, "not-shared",
                    file.string() + " was written on the node, and is not here.",
                    "Write it into a folder that this machine shares with the nodes.");
    return code;
}

} // namespace olab::cli
