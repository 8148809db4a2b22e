#include <olab/experiment/plan.h>
#include <olab/run/child_backend.h>

#include "child_process.h"
#include "rehearsal.h"
#include "time_limit.h"

#include <olab/run/elsewhere.h>
#include <olab/run/programs.h>
#include <olab/run/protocol.h>
#include <olab/trace/container.h>
#include <olab/trace/temporary_folder.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kSlice = 20ms;      ///< how long a cancel may go unnoticed
constexpr auto kFarewell = 3000ms; ///< for a child told to end, if the system cannot report its end
constexpr std::string_view kRunAgain = "Run it again: the next run starts a fresh child.";

/// Removes the child's file after the records were read, or if they never will be.
struct FileRemover {
    fs::path path;
    ~FileRemover() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
};

[[noreturn]] void throwDied(ChildProcess& child) {
    const std::string how = child.obituary();
    const bool shot = how.find("signal 9 ") != how.npos;
    const bool ownFault = child.exitCode() == static_cast<int>(ErrorKind::Internal);
    throw Error(
        ownFault ? ErrorKind::Internal : ErrorKind::DeviceFailed, "child-died",
        "The engine process " + how + ".",
        std::string(kRunAgain) +
            (shot ? " The system sends signal 9 when memory runs out: then make the experiment smaller."
                  : ""));
}

[[noreturn]] void throwReported(const EventLine& event) {
    // If a file cannot be written, it is our own, whose name means nothing to the user.
    const std::string hint = event.code == "cannot-write"
                                 ? "Free some space there, or set TMPDIR to a folder that has it."
                                 : event.hint;
    throw Error(errorKindFrom(event.errorKind), event.code, event.message, hint);
}

void readFile(const fs::path& path, RecordSink& out, const RunControl& control) {
    std::vector<RefusedRecord> damage;
    RecordChunks records(out);
    const auto take = [&](Chunk&& chunk) {
        control.throwIfCancelled();
        if (chunk.type == ChunkType::Records)
            records.take(std::move(chunk.payload));
    };
    readContainer(path, take, damage, control);
    records.finish();
    for (const RefusedRecord& record : damage)
        out.add(record);
}

/// The next event of `child`. Checks the stop token every slice. @throws Error
EventLine nextEvent(ChildProcess& child, std::chrono::seconds silenceLimit, const RunControl& control) {
    const auto silentUntil = Clock::now() + silenceLimit;
    bool open = true;
    for (std::string line;;) {
        control.throwIfCancelled();
        if (child.nextLine(line))
            return eventFromLine(line);
        if (!open)
            throwDied(child);
        if (Clock::now() >= silentUntil)
            throw Error(ErrorKind::DeviceFailed, "child-hung",
                        "The engine process has said nothing for " + std::to_string(silenceLimit.count()) +
                            " s and was ended.",
                        std::string(kRunAgain) +
                            " If that happens each time, the work deadlocks on the device.");
        open = child.wait(kSlice);
    }
}

/// Extra time for a child that cannot end itself when it should: on a busy machine this takes a while.
std::chrono::seconds withGrace(std::chrono::seconds limit) {
    return limit + std::clamp(limit / 10, 3s, 10s);
}

void awaitReady(ChildProcess& child, std::chrono::seconds silenceLimit, const RunControl& control,
                std::string& what) {
    control.report(-1, "starting the engine process");
    const EventLine event = nextEvent(child, silenceLimit, control);
    if (event.kind == EventLine::Kind::Failed)
        throwReported(event);
    what = event.what;
}

/// How a child on another machine is started: by this one's relay.
std::vector<std::string> relayed(const Elsewhere& elsewhere, std::vector<std::string> arguments,
                                 const std::vector<std::string>& environment) {
    arguments.emplace_back("--stream");
    std::vector<std::string> list{"engine", "--relay", elsewhere.host(), "--"};
    const std::vector<std::string> words = elsewhere.olab(arguments, environment);
    list.insert(list.end(), words.begin(), words.end());
    return list;
}

} // namespace

struct ChildBackend::State {
    ChildConfig config;
    TemporaryFolder folder;
    std::unique_ptr<ChildProcess> child;
    bool waits = false; ///< the child was started ahead, and has run nothing
    bool begun = false; ///< the child has taken the job
    std::uint64_t jobs = 0;
    std::vector<std::string> environment; ///< the child was started with

    std::vector<std::string> arguments() const;
    std::optional<std::chrono::seconds> chosenLimit() const {
        return config.silenceLimit ? config.silenceLimit : wantedTimeLimit();
    }
    bool fits(const experiment::Experiment& experiment) const;
    std::string hostName() const;
    void startChild(const experiment::Experiment& experiment);
    void greet(const RunControl& control);
    void ensureChild(const experiment::Experiment& experiment, const RunControl& control);
    EventLine execute(const JobLine& job, const RunControl& control);
    void runJob(const JobLine& job, RecordSink& out, const RunControl& control);
    void runInChild(JobLine& job, RecordSink& out, const RunControl& control);
    void dropChild();
    void dismissChild();
};

std::vector<std::string> ChildBackend::State::arguments() const {
    std::vector<std::string> list{"engine", "--kind", config.kind == ChildKind::Plain ? "plain" : "traced"};
    // A traced child runs one job, so its file has the number of the next job.
    if (config.kind == ChildKind::Traced && !config.rawCuptiFile.empty())
        list.insert(list.end(),
                    {"--keep-raw", config.rawCuptiFile.string() + "." + std::to_string(jobs + 1)});
    list.insert(list.end(), config.extraArguments.begin(), config.extraArguments.end());
    return list;
}

/// The other machine, or the node of a job of Slurm; empty: the user knows where this is.
std::string ChildBackend::State::hostName() const {
    if (config.elsewhere)
        return config.elsewhere->host();
    const char* const node = std::getenv("SLURMD_NODENAME");
    return node ? node : "";
}

/// CUDA reads its environment at startup: a different one needs a different child.
bool ChildBackend::State::fits(const experiment::Experiment& experiment) const {
    return experiment::environmentOf(experiment) == environment &&
           (waits || !experiment::needsFreshProcess(experiment));
}

void ChildBackend::State::startChild(const experiment::Experiment& experiment) {
    environment = experiment::environmentOf(experiment);
    if (config.elsewhere)
        child = std::make_unique<ChildProcess>(config.program,
                                               relayed(*config.elsewhere, arguments(), environment));
    else
        child = std::make_unique<ChildProcess>(config.program, arguments(), environment);
}

/// Starting a program is not a step of a run: it gets its own time, however short the limit of steps.
void ChildBackend::State::greet(const RunControl& control) {
    constexpr std::chrono::seconds kStart{60};
    const std::chrono::seconds wanted = std::max(kStart, wantedTimeLimit().value_or(kStart));
    std::string ignored;
    awaitReady(*child, config.silenceLimit.value_or(wanted), control, ignored);
}

/// A waiting child may be in any state by now; failures of it are not reported to the user.
void ChildBackend::State::ensureChild(const experiment::Experiment& experiment, const RunControl& control) {
    if (child && !fits(experiment))
        dismissChild();
    if (waits && child && !child->hasEnded())
        try {
            config.departure->await(control);
            return greet(control);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw;
            dropChild();
        }
    else if (child && !child->hasEnded())
        return;
    waits = false;
    config.departure->await(control);
    startChild(experiment);
    greet(control);
}

void ChildBackend::State::dropChild() {
    if (child)
        config.departure->add(child->killAndTell());
    child.reset();
    waits = false;
}

/// Told to end; only the next child waits for it.
void ChildBackend::State::dismissChild() {
    if (child)
        config.departure->add(child->leave(kFarewell));
    child.reset();
    waits = false;
}

EventLine ChildBackend::State::execute(const JobLine& job, const RunControl& control) {
    begun = false;
    if (!child->send(toLine(job)))
        throwDied(*child);
    for (;;) {
        EventLine event = nextEvent(*child, withGrace(job.limit), control);
        begun = true;
        if (event.kind == EventLine::Kind::Failed)
            throwReported(event);
        if (event.kind == EventLine::Kind::Progress)
            control.report(event.share, event.what);
        if (event.kind == EventLine::Kind::Finished && event.job == job.job)
            return event;
    }
}

ChildBackend::ChildBackend(ChildConfig config)
    : m_state(std::make_unique<State>()) {
    m_state->config = std::move(config);
    if (!m_state->config.departure)
        m_state->config.departure = makeDeparture();
}

ChildBackend::~ChildBackend() = default;

int ChildBackend::pid() const {
    return m_state->child ? m_state->child->pid() : 0;
}

void ChildBackend::makeReady(const experiment::Experiment& experiment) noexcept {
    State& s = *m_state;
    try {
        if (s.child && !s.child->hasEnded() && s.fits(experiment))
            return;
        s.dismissChild();
        s.startChild(experiment);
        s.waits = true;
        JobLine line;
        line.prepare = true;
        line.experiment = experiment;
        s.child->send(toLine(line));
    } catch (...) {
        s.child.reset();
        s.waits = false;
    }
}

void ChildBackend::giveBack() {
    m_state->dismissChild();
}

void ChildBackend::settle(const RunControl& control) {
    m_state->config.departure->await(control);
}

void ChildBackend::State::runJob(const JobLine& job, RecordSink& out, const RunControl& control) {
    const FileRemover file{job.out};
    execute(job, control);
    waits = false;
    if (job.fault != experiment::Fault::None)
        throw Error(ErrorKind::Internal, "no-fault", "The run went well although it was to fail.",
                    "Unset OLAB_FAULT.");
    // Runs to be compared with traced ones use fresh processes, too, because speed differs between processes.
    // Its file is read while it exits.
    const bool leaves =
        config.kind == ChildKind::Traced || experiment::optionText(job.experiment, "trace") == "both";
    if (leaves && !job.keep)
        dismissChild();
    readFile(job.out, out, control);
    if (const std::string host = hostName(); !host.empty())
        out.add(EnvironmentRecord{std::string(kHostKey), host});
}

/// Retries once if a waiting child was dead before it took the job.
void ChildBackend::State::runInChild(JobLine& job, RecordSink& out, const RunControl& control) {
    ensureChild(job.experiment, control);
    job.job = ++jobs;
    job.out = folder.path() / ("job-" + std::to_string(job.job) + ".olab");
    const bool waited = waits;
    try {
        runJob(job, out, control);
    } catch (const Error& error) {
        if (!waited || begun || error.code() != "child-died")
            throw;
        --jobs; // it was none
        dropChild();
        runInChild(job, out, control);
    }
}

void ChildBackend::run(const experiment::Plan& planned, const experiment::RunOptions& options,
                       RecordSink& out, const RunControl& control) {
    State& s = *m_state;
    JobLine job{0, planned.experiment, {}, options.solos, options.calibratedLoops};
    job.fault = wantedFault();
    job.probe = options.probe;
    job.keep = options.keepPrepared;
    job.limit = s.chosenLimit().value_or(timeLimitOf(planned));
    try {
        s.runInChild(job, out, control);
    } catch (const Error& error) {
        s.dropChild(); // killed: its state is unknown
        if (job.fault == experiment::Fault::None || error.kind() == ErrorKind::Cancelled)
            throw;
        throw rehearsed(error, job.fault);
    } catch (...) {
        s.dropChild();
        throw;
    }
}

std::shared_ptr<Departure> makeDeparture() {
    return std::make_shared<Departure>();
}

namespace {

EngineProbe probed(const fs::path& program, const std::vector<std::string>& arguments,
                   const RunControl& control) {
    constexpr std::chrono::seconds kPatience{30};
    ChildProcess child(program, arguments);
    EngineProbe probe;
    awaitReady(child, kPatience, control, probe.what);
    probe.usable = true;
    child.finish(kFarewell);
    return probe;
}

} // namespace

EngineProbe probeEngine(const fs::path& program, const RunControl& control) try {
    return probed(program, {"engine", "--probe"}, control);
} catch (const Error& e) {
    if (e.kind() == ErrorKind::Cancelled)
        throw;
    return {false, {}, e.what(), e.hint()};
}

EngineProbe probeEngine(const fs::path& program, const Elsewhere& elsewhere, const RunControl& control) try {
    return probed(program, relayed(elsewhere, {"engine", "--probe"}, {}), control);
} catch (const Error& e) {
    if (e.code() != "no-device")
        throw;
    return {false, {}, e.what(), e.hint()};
}

fs::path findOlab() {
    return findProgram("olab");
}

} // namespace olab::run
