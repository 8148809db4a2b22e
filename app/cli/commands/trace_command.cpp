// `olab trace`: runs a program of anybody's and records what CUDA does in it.
#include "command.h"

#include "time_slice.h"
#include "trace_elsewhere.h"
#include "trace_orders.h"
#include "trace_outcome.h"
#include "trace_ranks.h"
#include "traced_program.h"

#include <olab/run/programs.h>
#include <olab/run/runner.h>
#include <olab/trace/error.h>
#include <olab/trace/output_file.h>
#include <olab/trace/temporary_folder.h>

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libolab_inject.so";
constexpr const char* kInjection = "CUDA_INJECTION64_PATH";
constexpr const char* kRanges = "NVTX_INJECTION64_PATH";
constexpr std::size_t kMostWords = 100'000;

constexpr OptionSpec kTraceOptions[] = {
    {"--output", "-o", "OUT.olab",
     "the recording; else it is named after the program and never replaces one"},
    {"--delay", "", "T", "start recording this long after the program (5s, 300ms)"},
    {"--duration", "", "T", "record this long, then let the program run on without it"},
    {"--capture-range", "", "RANGE",
     "record only what the program marks: 'cuda' for what is between cudaProfilerStart and cudaProfilerStop, "
     "nvtx:NAME for what is inside the NVTX range of that name"},
    {"--last", "", "T", "keep the end only: the last T at least, twice that at most"},
    {"--limit", "", "SIZE", "stop recording when the file has this size (200MB, 2GB)"},
    {"--children", "", "", "also record the programs that it starts, each into a file of its own"},
    {"--all-calls", "", "", "also record the calls that only ask, such as cudaGetDevice; slows the program"},
    {"--attach-ready", "", "", "record nothing until olab trace --on says so; costs nothing until then"},
    {"--on", "", "PIDS or HOST",
     "without a program: record these processes from now on (numbers with commas, or all); with one: run and "
     "record it on that machine, which your own ssh reaches"},
    {"--folder", "", "DIR",
     "with a program and --on HOST: the folder there that it starts in (your home folder)"},
    {"--for", "", "T", "with --on: stop again after this time, and wait for it"},
    {"--off", "", "PIDS", "stop recording these processes; they run on as fast as before"},
    {"--list", "", "", "show the processes that wait, and what they record into"},
    {"--apart", "", "",
     "in a step of Slurm with several ranks: do not wait for the others, and merge nothing"},
    {"--no-analysis", "", "", "do not judge the recording at the end"},
};

Ns now() {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<Ns>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// Beside this program where it was built; where it is installed in the folder of libraries.
fs::path library() {
    const fs::path here = run::ownProgram().parent_path();
    std::error_code failed;
    for (const fs::path& folder : {here, here / ".." / OLAB_LIBRARIES, here / "../lib", here / "../lib64"})
        if (const fs::path file = folder / kLibrary; fs::is_regular_file(file, failed))
            return fs::canonical(file, failed);
    throw Error(ErrorKind::NoDevice, "no-library", std::string(kLibrary) + " was not found beside olab.",
                "Install Overlap Lab again; one that was built without CUDA cannot trace programs.");
}

Ns timeOf(const Arguments& arguments, std::string_view name) {
    if (!arguments.has(name))
        return 0;
    const Ns time = timeFromText(arguments.value(name));
    if (time <= 0)
        throw Error(ErrorKind::Usage, "bad-time", std::string(name) + " needs a time above 0.",
                    "Write a number and ns, us, ms or s, such as 2s.");
    return time;
}

std::uint64_t sizeOf(const std::string& text) {
    constexpr std::uint64_t kLeast = 64 << 10;
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
        {"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}};
    for (const auto& [name, factor] : kUnits)
        if (std::uint64_t bytes = 0; error == std::errc() && unit == name &&
                                     !__builtin_mul_overflow(number, factor, &bytes) && bytes >= kLeast)
            return bytes;
    throw Error(ErrorKind::Usage, "bad-size", "'" + text + "' is not a size for --limit.",
                "Write a whole number and KB, MB or GB, such as 200MB; 66KB at least.");
}

void takeMarks(const std::string& text, TraceRequest& request) {
    request.byMarks = true;
    if (text == "cuda")
        return;
    if (!text.starts_with("nvtx:") || text.size() == 5)
        throw Error(ErrorKind::Usage, "bad-range", "'" + text + "' is not a range of --capture-range.",
                    "Write cuda, or nvtx: and the name of a range.");
    request.range = text.substr(5);
}

fs::path outputOf(const Arguments& arguments) {
    const fs::path file = arguments.has("--output") ? fs::path(arguments.value("--output"))
                                                    : freeRecordingFile(arguments.positional());
    std::error_code failed;
    const bool isOdd = fs::exists(file, failed) && !fs::is_regular_file(file, failed);
    if (isOdd || isStandardOutput(file))
        throw Error(ErrorKind::Usage, "not-a-file", "A recording goes into a file that stays one.",
                    "Name a file after -o, such as run.olab.");
    checkWritable(file);
    return fs::absolute(file);
}

TraceRequest requestFrom(const Arguments& arguments) {
    TraceRequest request;
    request.file = outputOf(arguments);
    request.children = arguments.has("--children");
    request.allCalls = arguments.has("--all-calls");
    request.attachReady = arguments.has("--attach-ready");
    request.delay = timeOf(arguments, "--delay");
    request.duration = timeOf(arguments, "--duration");
    request.last = timeOf(arguments, "--last");
    if (arguments.has("--limit"))
        request.mostBytes = sizeOf(arguments.value("--limit"));
    if (arguments.has("--capture-range"))
        takeMarks(arguments.value("--capture-range"), request);
    if (request.byMarks && (request.delay > 0 || request.duration > 0))
        throw Error(ErrorKind::Usage, "bad-usage", "--capture-range says when to record already.",
                    "Leave out --delay and --duration.");
    if (request.attachReady && (request.byMarks || request.delay > 0 || request.duration > 0))
        throw Error(ErrorKind::Usage, "bad-usage", "With --attach-ready others say when to record.",
                    "Leave out --delay, --duration and --capture-range.");
    if (request.last > 0 && request.mostBytes > 0)
        throw Error(ErrorKind::Usage, "bad-usage", "--last bounds the file already.", "Leave out --limit.");
    return request;
}

void refuseOtherTool() {
    if (const char* const other = std::getenv(kInjection); other && *other)
        throw Error(ErrorKind::Usage, "cupti-busy",
                    "Another tool is to watch CUDA: " + std::string(kInjection) + " names " + other + ".",
                    "Start olab trace without that tool, or unset the variable.");
}

Variables variablesFor(const TraceRequest& request, const fs::path& library) {
    Variables variables = request.toEnvironment();
    variables.emplace_back(kInjection, library.string());
    const char* const other = std::getenv(kRanges);
    if (!other || !*other)
        variables.emplace_back(kRanges, library.string());
    return variables;
}

ProgramEnd runRecorded(const std::vector<std::string>& words, TraceRequest& request, const fs::path& injected,
                       const std::function<void()>& nowAndThen = {}) {
    request.started = now();
    return runProgram(
        words,
        [&](pid_t pid) {
            request.pid = pid;
            return variablesFor(request, injected);
        },
        [&](const ProgramEnd& end) { noteOpenEnds(request, end); }, nowAndThen);
}

/// @returns the library that is to be loaded. @throws Error for what cannot be recorded here
fs::path checkRecordable(const std::vector<std::string>& words) {
    refuseOtherTool();
    checkProgram(words);
    return library();
}

/// @returns the exit code. The others learn of an error, too.
int recordRank(const std::vector<std::string>& words, TraceRequest& request, const TraceRanks& ranks) try {
    checkWritable(request.file);
    const ProgramEnd end = runRecorded(words, request, checkRecordable(words), [&ranks] { ranks.sign(); });
    ranks.leave(tellOutcome(request, end, TraceTelling::Trouble));
    return end.code;
} catch (const Error& error) {
    ranks.leave(error.what());
    say(run::RunnerError{error.kind(), error.code(), error.what(), error.hint()});
    return error.exitCode();
}

/// One of several: the first one speaks for all, the others only of trouble.
int runRank(const Arguments& arguments, TraceRequest& request, TraceRanks& ranks) {
    const fs::path merged = request.file;
    const TemporaryFolder folder;
    request.file = ranks.fileOf(merged);
    request.status = folder.path() / "status";
    std::ofstream(request.status).flush();
    ranks.meet(merged);
    const int code = recordRank(arguments.positional(), request, ranks);
    if (ranks.isFirst() && ranks.merge(merged) && !arguments.has("--no-analysis"))
        tellJudgement({merged});
    return code;
}

/// The recording of a program on another machine comes to where one of a program here would be.
int runElsewhere(const Arguments& arguments) {
    if (arguments.has("--for") || arguments.has("--off") || arguments.has("--list"))
        throw Error(ErrorKind::Usage, "bad-usage", "--for, --off and --list are about programs that run.",
                    "Leave them out, or leave out the program.");
    return traceElsewhere(arguments, requestFrom(arguments));
}

int runTrace(const Arguments& arguments) {
    if (arguments.has("--on") && !arguments.positional().empty() && namesHost(arguments.value("--on")))
        return runElsewhere(arguments);
    if (arguments.has("--folder"))
        throw Error(ErrorKind::Usage, "bad-usage", "--folder is for a program on another machine.",
                    "Add --on HOST.");
    if (const std::optional<int> code = runTraceOrders(arguments))
        return *code;
    const std::vector<std::string>& words = arguments.positional();
    if (words.empty())
        throw Error(ErrorKind::Usage, "bad-usage", "The program is missing.",
                    "Write it after --: olab trace -- ./app arguments.");
    if (std::optional<TraceRanks> ranks = TraceRanks::of(arguments)) {
        TraceRequest request = requestFrom(arguments);
        return runRank(arguments, request, *ranks);
    }
    const fs::path injected = checkRecordable(words);
    TraceRequest request = requestFrom(arguments);
    const TemporaryFolder folder; // what the library has to say
    const TraceErrand errand = TraceErrand::take();
    request.status = (errand.isSent() ? errand.folder : folder.path()) / "status";
    std::ofstream(request.status).flush();
    const ProgramEnd end = runRecorded(words, request, injected);
    if (errand.isSent())
        errand.report(end);
    else
        tellOutcome(request, end,
                    arguments.has("--no-analysis") ? TraceTelling::NoJudgement : TraceTelling::All);
    return end.code;
}

} // namespace

extern const Command kTraceCommand{
    "trace",
    "[-o OUT.olab] [--delay T] [--duration T] [--capture-range RANGE] [--last T] [--limit SIZE] [--children] "
    "[--all-calls] [--attach-ready] [--no-analysis] -- PROGRAM [ARGUMENT...] | --on HOST [--folder DIR] -- "
    "PROGRAM [ARGUMENT...] | --on PIDS [--for T] | --off "
    "PIDS | --list",
    "Runs a program and records what CUDA does in it; its exit code is the program's.",
    "The program needs no change and is not compiled again. Its input, output and signals stay its own; what "
    "olab says goes to standard error, after the program has ended. The recording is written while the "
    "program "
    "runs and can be read after a crash.",
    kTraceOptions,
    0,
    kMostWords,
    runTrace};

} // namespace olab::cli
