#include "nsys_export.h"
#include "sqlite_database.h"

#include <olab/io/formats.h>
#include <olab/trace/temporary_folder.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

extern char** environ; // NOLINT: POSIX

namespace olab::io::imports {
namespace {

namespace fs = std::filesystem;

constexpr int kLookMs = 50;               // at the stop token
constexpr int kPatienceMs = 2000;         // of an nsys that was asked to end
constexpr std::size_t kMostSaid = 16'384; // bytes of its output that are kept: the last ones
constexpr std::size_t kMostTold = 600;    // of them, in a message

bool isProgram(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> inSearchPath() {
    const char* all = std::getenv("PATH");
    std::string_view rest = all ? all : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const fs::path folder(rest.substr(0, end));
        if (folder.is_absolute() && isProgram(folder / "nsys")) // never one of the current folder
            return folder / "nsys";
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::nullopt;
}

/// "/opt/nvidia/nsight-systems/2025.5.1/bin/nsys": the last by name is the newest.
std::optional<fs::path> inVersions(const fs::path& folder, std::string_view below) {
    std::optional<fs::path> newest;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        const fs::path program = at->path() / below;
        if (isProgram(program) && (!newest || program.native() > newest->native()))
            newest = program;
    }
    return newest;
}

std::optional<fs::path> inUsualFolders() {
    for (const char* folder : {"/opt/nvidia/nsight-systems", "/opt/nvidia/nsight-systems-cli"})
        if (auto found = inVersions(folder, "bin/nsys"))
            return found;
    for (const char* program : {"/usr/local/cuda/bin/nsys", "/usr/local/bin/nsys", "/usr/bin/nsys"})
        if (isProgram(program))
            return program;
    return inVersions("/opt/nvidia/hpc_sdk/Linux_x86_64", "profilers/Nsight_Systems/bin/nsys");
}

class Descriptor {
public:
    explicit Descriptor(int number = -1)
        : m_number(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_number; }
    void close() {
        if (m_number >= 0)
            ::close(m_number);
        m_number = -1;
    }

private:
    int m_number;
};

[[noreturn]] void notStarted(const fs::path& nsys, int problem) {
    throw Error(ErrorKind::Usage, "nsys-not-started",
                "Cannot start " + nsys.string() + ": " + std::generic_category().message(problem) + ".",
                "Set OLAB_NSYS to the nsys program of Nsight Systems.");
}

/// "$@" and whatever it starts, in the process group of this shell. A second one waits for the end of
/// descriptor 3, which no process but ours holds open: then all of them are killed.
constexpr const char* kEndsWithUs = R"sh("$@" 3<&- &
running=$!
(read -r nothing <&3; kill -KILL -$$) >/dev/null 2>&1 &
waiting=$!
exec 3<&-
wait $running
code=$?
kill $waiting
exit $code)sh";

/// nsys in a process group of its own: it starts helpers, which end with it.
class NsysProcess {
public:
    /// `words`: the first is nsys. It works in `folder`.
    NsysProcess(const std::vector<std::string>& words, const fs::path& folder) {
        int output[2], life[2];
        if (::pipe2(output, O_CLOEXEC) != 0)
            notStarted(words.front(), errno);
        m_output = std::make_unique<Descriptor>(output[0]);
        const Descriptor write(output[1]);
        ::fcntl(output[0], F_SETFL, O_NONBLOCK);
        if (::pipe2(life, O_CLOEXEC) != 0)
            notStarted(words.front(), errno);
        m_life = std::make_unique<Descriptor>(life[1]);
        const Descriptor end(life[0]);
        start(words, folder, write.get(), end.get());
    }
    ~NsysProcess() { end(); }
    NsysProcess(const NsysProcess&) = delete;
    NsysProcess& operator=(const NsysProcess&) = delete;

    /// What it wrote since, after a short wait. @returns false once its output has ended
    bool follow(std::string& said) {
        pollfd waited{m_output->get(), POLLIN, 0};
        if (::poll(&waited, 1, kLookMs) <= 0)
            return !hasEnded(); // a helper may hold the output open
        std::array<char, 4096> block{};
        const ssize_t got = ::read(m_output->get(), block.data(), block.size());
        if (got > 0)
            said.append(block.data(), static_cast<std::size_t>(got));
        return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
    }
    bool hasEnded() {
        if (!m_ended && ::waitpid(m_process, &m_status, WNOHANG) == m_process)
            m_ended = true;
        return m_ended;
    }
    /// As waitpid() has it; of one that has ended.
    int status() const { return m_status; }

private:
    void start(const std::vector<std::string>& words, const fs::path& folder, int output, int endOfUs) {
        constexpr const char* kShell = "/bin/sh";
        std::vector<std::string> all{kShell, "-c", kEndsWithUs, kShell};
        all.insert(all.end(), words.begin(), words.end());
        std::vector<char*> arguments;
        for (std::string& word : all)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawnattr_t how;
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&how);
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&files, output, 1);
        posix_spawn_file_actions_adddup2(&files, output, 2);
        posix_spawn_file_actions_adddup2(&files, endOfUs, 3);
        posix_spawn_file_actions_addchdir_np(&files, folder.c_str()); // not where the report is
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&how, 0);
        const int problem = ::posix_spawn(&m_process, kShell, &files, &how, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&how);
        if (problem != 0) {
            m_ended = true;
            notStarted(words.front(), problem);
        }
    }
    /// Asked first, so that it can remove what it wrote.
    void end() {
        if (hasEnded())
            return;
        ::kill(-m_process, SIGTERM);
        for (int waited = 0; waited < kPatienceMs && !hasEnded(); waited += kLookMs)
            ::usleep(kLookMs * 1000);
        if (!m_ended) {
            ::kill(-m_process, SIGKILL);
            while (::waitpid(m_process, &m_status, 0) < 0 && errno == EINTR)
                continue;
            m_ended = true;
        }
    }
    pid_t m_process = -1;
    bool m_ended = false;
    int m_status = 0;
    std::unique_ptr<Descriptor> m_output;
    std::unique_ptr<Descriptor> m_life; ///< closed when we end
};

/// The last "NN%" that it wrote; below 0: none.
double shareIn(std::string_view said) {
    const std::size_t sign = said.rfind('%');
    std::size_t from = sign;
    while (sign != said.npos && from > 0 && said[from - 1] >= '0' && said[from - 1] <= '9' && sign - from < 3)
        --from;
    if (sign == said.npos || from == sign)
        return -1;
    return std::min(std::stoi(std::string(said.substr(from, sign - from))), 100) / 100.0;
}

/// In one line, without its progress.
std::string lastWords(std::string said) {
    std::ranges::replace(said, '\r', '\n');
    std::string told;
    for (std::size_t at = 0; at < said.size();) {
        const std::size_t end = std::min(said.find('\n', at), said.size());
        const std::string line = said.substr(at, end - at);
        if (!line.empty() && line.find('%') == line.npos)
            told += (told.empty() ? "" : " ") + line;
        at = end + 1;
    }
    return told.size() > kMostTold ? "..." + told.substr(told.size() - kMostTold) : told;
}

[[noreturn]] void failed(const fs::path& nsys, const fs::path& report, int status, std::string said) {
    constexpr int kSignalled = 128; // of a shell
    const int code = WEXITSTATUS(status), signal = WIFSIGNALED(status) ? WTERMSIG(status) : code - kSignalled;
    const std::string how = signal > 0 ? "was ended by signal " + std::to_string(signal)
                                       : "failed with exit code " + std::to_string(code);
    const std::string words = lastWords(std::move(said));
    throw Error(ErrorKind::Usage, "nsys-failed",
                "Cannot read " + report.string() + ": nsys export " + how +
                    (words.empty() ? std::string(".") : ". It says: " + words),
                "An nsys at least as new as the one that wrote the report is needed (" + nsys.string() +
                    " was used; OLAB_NSYS names another). To see more: nsys export --type sqlite REPORT");
}

} // namespace

bool refusesNsys() {
    const char* const named = std::getenv("OLAB_NSYS");
    return named && std::string_view(named) == "none";
}

std::optional<fs::path> findNsys() {
    const char* const variable = std::getenv("OLAB_NSYS");
    const fs::path named = variable ? variable : "";
    if (refusesNsys())
        return std::nullopt;
    if (!named.empty() && !named.is_absolute())
        throw Error(
            ErrorKind::Usage, "no-nsys", "OLAB_NSYS is '" + named.string() + "', which is no absolute path.",
            "Set it to the whole path of nsys, to none, or unset it: then the usual folders are searched.");
    if (!named.empty())
        return isProgram(named) ? std::optional(named) : std::nullopt;
    if (auto found = inSearchPath())
        return found;
    return inUsualFolders();
}

fs::path exportBeside(const fs::path& report) {
    const fs::path beside = fs::path(report).replace_extension(".sqlite");
    std::error_code failed;
    const auto written = fs::last_write_time(beside, failed);
    if (failed)
        return {};
    const auto recorded = fs::last_write_time(report, failed);
    return !failed && written >= recorded && fs::is_regular_file(beside, failed) ? beside : fs::path();
}

void exportReport(const fs::path& nsys, const fs::path& report, const fs::path& into,
                  const RunControl& control) {
    control.throwIfCancelled();
    control.report(-1, "nsys exports the report");
    NsysProcess process(
        {nsys.string(), "export", "--type", "sqlite", "-o", into.string(), fs::absolute(report).string()},
        into.parent_path());
    std::string said;
    double share = -1;
    while (process.follow(said)) {
        control.throwIfCancelled();
        if (said.size() > kMostSaid)
            said.erase(0, said.size() - kMostSaid);
        if (const double now = shareIn(said); now != share) {
            share = now;
            control.report(share, "nsys exports the report");
        }
    }
    for (; !process.hasEnded(); ::usleep(kLookMs * 1000)) // it has closed its output
        control.throwIfCancelled();
    std::error_code missing;
    const int status = process.status();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !fs::exists(into, missing))
        failed(nsys, report, status, said);
}

} // namespace olab::io::imports

namespace olab::io {

// Reports of Nsight Systems (.nsys-rep, .qdrep): read by way of the SQLite export that the user's nsys makes.

namespace imports::nsys_sqlite {
Importer row();
} // namespace imports::nsys_sqlite

namespace {

constexpr std::string_view kReportBegins = "NVIDIA Tegra Profiler Report";

bool sniffReport(std::span<const std::byte> head) {
    return std::string_view(reinterpret_cast<const char*>(head.data()), head.size())
        .starts_with(kReportBegins);
}

[[noreturn]] void refuseWithoutNsys(const std::filesystem::path& report) {
    const char* named = std::getenv("OLAB_NSYS");
    const std::string why = imports::refusesNsys() ? "OLAB_NSYS=none says not to run it"
                            : named && *named      ? "OLAB_NSYS names no program: " + std::string(named)
                                                   : "no nsys was found";
    throw Error(ErrorKind::Usage, "no-nsys",
                report.string() + " is a report of Nsight Systems, which is read by way of nsys, and " + why +
                    ".",
                "Install Nsight Systems, or set OLAB_NSYS to its nsys program. Or where it is installed: "
                "nsys export --type sqlite " +
                    report.filename().string() + ", and open the file that it writes.");
}

RecordingData readExport(const std::filesystem::path& file, RecordSink& records, const RunControl& control) {
    Source source(file, control);
    const Importer sqlite = imports::nsys_sqlite::row();
    if (!sqlite.sniff(source.head()) || !sqlite.confirm(source, control))
        throw Error(ErrorKind::Usage, "nsys-failed",
                    "The export of nsys, " + file.string() + ", is no trace: it has no tables of one.",
                    "Record the program with CUDA: nsys profile -t cuda,nvtx PROGRAM");
    RecordingData data = sqlite.read(source, records, control);
    data.format = "Nsight Systems report";
    return data;
}

RecordingData readReport(Source& source, RecordSink& records, const RunControl& control) {
    if (source.isPacked())
        throw Error(ErrorKind::Usage, "packed-report",
                    source.path().string() + " is a packed report of Nsight Systems, which nsys cannot read.",
                    "Unpack it and open what comes out.");
    if (const auto beside = imports::exportBeside(source.path()); !beside.empty())
        return readExport(beside, records, control);
    const auto nsys = imports::findNsys();
    if (!nsys)
        refuseWithoutNsys(source.path());
    const TemporaryFolder folder;
    const std::filesystem::path made = std::filesystem::absolute(folder.path()) / "export.sqlite";
    imports::exportReport(*nsys, source.path(), made, control);
    return readExport(made, records, control);
}

} // namespace

namespace imports::nsys_report {

Importer row() {
    return {"nsys-rep", "Nsight Systems report", "*.nsys-rep *.qdrep", sniffReport, readReport};
}

} // namespace imports::nsys_report

} // namespace olab::io
