#include <olab/run/engine_loop.h>

#include "pipes.h"
#include "rehearsal.h"
#include "throttle.h"
#include "time_limit.h"

#include <olab/experiment/plan.h>
#include <olab/run/protocol.h>
#include <olab/run/relay.h>
#include <olab/run/runner.h>
#include <olab/trace/container.h>
#include <olab/trace/error.h>
#include <olab/trace/temporary_folder.h>

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace olab::run {
namespace {

// The job lines of a child, read on a thread of their own.

/// Reads the job pipe on a separate thread, so that the parent's death is noticed while a job runs.
class JobReader {
public:
    /// `patience`: a silence of this length means that the parent is gone, for one on another machine; 0: it
    /// may be silent for ever.
    JobReader(int descriptor, std::chrono::seconds patience)
        : m_descriptor(descriptor)
        , m_patience(patience)
        , m_thread([this](const std::stop_token& stop) { read(stop); }) {}

    /// The next line; false when the parent has closed the pipe.
    bool next(std::string& line) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ended || !m_pending.empty(); });
        if (m_pending.empty())
            return false;
        line = std::move(m_pending.front());
        m_pending.pop_front();
        return true;
    }
    /// Requested when the parent is gone: the result is no longer needed.
    std::stop_token orphaned() const { return m_orphaned.get_token(); }

private:
    void read(const std::stop_token& stop) {
        // No timeout: no thread may wake up while a job measures (for a parent on another machine only with
        // what it sends every ten seconds). The loop below runs until the pipe ends, so nothing waits for
        // this.
        for (std::string text; isHeard() && readSome(m_descriptor, text) != ReadState::End && take(text);)
            text.clear();
        end(stop);
    }
    bool isHeard() const {
        pollfd watched{m_descriptor, POLLIN, 0};
        return m_patience.count() == 0 ||
               ::poll(&watched, 1, static_cast<int>(std::chrono::milliseconds(m_patience).count())) != 0;
    }
    bool take(const std::string& text) try {
        m_lines.append(text);
        const std::lock_guard lock(m_mutex);
        for (std::string line; m_lines.next(line);)
            if (!line.empty())
                m_pending.push_back(std::move(line));
        m_changed.notify_all();
        return true;
    } catch (const Error&) { // an endless line: not our parent
        return false;
    }
    /// A job that ignores its stop token because it hangs in the driver must not leave an orphan that
    /// occupies the device.
    void end(const std::stop_token& stop) {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
            m_changed.notify_all();
        }
        m_orphaned.request_stop();
        constexpr std::chrono::milliseconds kStep{5}, kPatience{5000};
        for (auto waited = kStep; waited < kPatience && !stop.stop_requested(); waited += kStep)
            std::this_thread::sleep_for(kStep);
        if (!stop.stop_requested())
            std::_Exit(static_cast<int>(ErrorKind::DeviceFailed));
    }

    int m_descriptor;
    std::chrono::seconds m_patience;
    LineBuffer m_lines;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::string> m_pending;
    bool m_ended = false;
    std::stop_source m_orphaned;
    std::jthread m_thread; ///< last: it uses all of the above
};

using namespace std::chrono_literals;

void send(int descriptor, const EventLine& event) {
    writeAll(descriptor, toLine(event));
}

EventLine failedEvent(std::uint64_t job, const RunnerError& error) {
    EventLine event;
    event.kind = EventLine::Kind::Failed;
    event.job = job;
    event.errorKind = static_cast<int>(error.kind);
    event.code = error.code;
    event.message = error.message;
    event.hint = error.hint;
    return event;
}

/// The job's thread is stuck in an uninterruptible call: only the end of the process ends it.
Watchdog::OnHang endProcess(int descriptor, const JobLine& job) {
    return [descriptor, number = job.job, limit = job.limit](const std::string& step) {
        send(descriptor,
             failedEvent(number,
                         {ErrorKind::DeviceFailed, "run-hung",
                          "The run has not gone on for " + std::to_string(limit.count()) +
                              " s (last step: " + step + ") and was ended.",
                          "Run it again: the next run starts a fresh child. If that happens each time, "
                          "the work deadlocks on the device; if it is meant to take so long, set "
                          "OLAB_TIME_LIMIT to more seconds."}));
        std::_Exit(static_cast<int>(ErrorKind::DeviceFailed));
    };
}

RunControl reportingControl(int descriptor, std::uint64_t job, std::stop_token stop, Watchdog& watchdog) {
    RunControl control;
    control.stop = std::move(stop);
    control.progress = [descriptor, job, &watchdog, throttle = Throttle()](double share,
                                                                           std::string_view what) mutable {
        watchdog.step(what);
        if (!throttle.due(what))
            return;
        EventLine event;
        event.kind = EventLine::Kind::Progress;
        event.job = job;
        event.share = share;
        event.what = what;
        send(descriptor, event);
    };
    return control;
}

experiment::Plan planFor(experiment::Backend& backend, const experiment::Experiment& experiment) {
    return experiment::plan(
        experiment, experiment::optionText(experiment, "devices") == "all" ? backend.deviceCount() : 1);
}

/// The records go to the file unchecked: the parent's builder repeats the checks and finds the same defects.
void execute(experiment::Backend& backend, const JobLine& job, const RunControl& control) {
    const experiment::Plan planned = planFor(backend, job.experiment);
    ContainerWriter file(job.out);
    RecordWriter records(file);
    backend.run(planned, {job.solos, job.loops, job.fault, job.probe, job.keep}, records, control);
    if (job.fault == experiment::Fault::Die)
        dieLoudly();
    const auto full = job.fault == experiment::Fault::DiskFull ? std::make_unique<FullDisk>() : nullptr;
    records.flush();
    file.finish(); // here, not in the destructor: a full disk must be an error
}

/// The watchdog ends before the final event is sent.
void runWatched(experiment::Backend& backend, const JobLine& job, int descriptor,
                const std::stop_token& stop) {
    Watchdog watchdog(job.limit, endProcess(descriptor, job));
    execute(backend, job, reportingControl(descriptor, job.job, stop, watchdog));
}

/// Nothing waits for it, so no error is reported: a child that cannot get ready is replaced by a fresh one,
/// whose job reports the problem. It exits immediately because the reader sleeps until the pipe ends.
void prepare(experiment::Backend& backend, const experiment::Experiment& experiment) {
    try {
        backend.prepare(planFor(backend, experiment));
    } catch (...) {
        std::_Exit(static_cast<int>(currentError().kind));
    }
}

/// Sends a recording behind the events, whole or not at all, and removes it.
class Streamed {
public:
    explicit Streamed(int descriptor)
        : m_descriptor(descriptor) {}
    std::filesystem::path file(std::uint64_t job) const {
        return m_folder.path() / ("job-" + std::to_string(job) + ".olab");
    }
    void send(std::uint64_t job) const {
        const Descriptor from(::open(file(job).c_str(), O_RDONLY | O_CLOEXEC));
        std::error_code failed;
        std::filesystem::remove(file(job), failed); // stays as long as it is open
        const auto bytes = static_cast<std::uint64_t>(std::max<off_t>(0, ::lseek(from.get(), 0, SEEK_END)));
        ::lseek(from.get(), 0, SEEK_SET);
        writeAll(m_descriptor, "file " + std::to_string(job) + " " + std::to_string(bytes) + "\n");
        std::string text;
        for (std::uint64_t sent = 0; sent < bytes && readSome(from.get(), text) == ReadState::Data;
             text.clear()) {
            if (!writeAll(m_descriptor, text))
                return; // nobody is there any more
            sent += text.size();
        }
    }

private:
    int m_descriptor;
    TemporaryFolder m_folder;
};

void serve(experiment::Backend& backend, const std::string& line, int descriptor, const std::stop_token& stop,
           const Streamed* stream = nullptr) {
    std::uint64_t number = 0;
    try {
        JobLine job = jobFromLine(line);
        if (stream)
            job.out = stream->file(job.job);
        if (job.prepare)
            return prepare(backend, job.experiment);
        number = job.job;
        EventLine event;
        event.kind = EventLine::Kind::Started;
        event.job = number;
        send(descriptor, event);
        if (job.fault == experiment::Fault::Silent)
            fallSilent();
        runWatched(backend, job, descriptor, stop);
        if (stream)
            stream->send(number);
        event.kind = EventLine::Kind::Finished;
        event.file = job.out;
        send(descriptor, event);
    } catch (...) {
        send(descriptor, failedEvent(number, currentError()));
    }
}

} // namespace

int engineLoop(experiment::Backend& backend, int jobDescriptor, int eventDescriptor) {
    JobReader jobs(jobDescriptor, {});
    send(eventDescriptor, EventLine{});
    for (std::string line; jobs.next(line);)
        serve(backend, line, eventDescriptor, jobs.orphaned());
    return 0;
}

void sendGreeting(int streamDescriptor) {
    writeAll(streamDescriptor, std::string(kStreamGreeting) + OLAB_VERSION "\n");
}

int streamLoop(experiment::Backend& backend, int jobDescriptor, int streamDescriptor) {
    const Streamed stream(streamDescriptor);
    JobReader jobs(jobDescriptor, kMostSilence);
    send(streamDescriptor, EventLine{});
    for (std::string line; jobs.next(line);)
        serve(backend, line, streamDescriptor, jobs.orphaned(), &stream);
    return 0;
}

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::vector<pid_t> numbersIn(const fs::path& file) {
    std::vector<pid_t> numbers;
    std::ifstream text(file);
    for (pid_t number = 0; text >> number;)
        if (number > 1)
            numbers.push_back(number);
    return numbers;
}

/// Those in "*.pid" and the programs that they started.
std::vector<pid_t> processesOf(const fs::path& folder) {
    std::vector<pid_t> all;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().extension() == ".pid")
            for (const pid_t one : numbersIn(at->path())) {
                const std::string number = std::to_string(one);
                const std::vector<pid_t> children =
                    numbersIn("/proc/" + number + "/task/" + number + "/children");
                all.push_back(one);
                all.insert(all.end(), children.begin(), children.end());
            }
    return all;
}

/// The first is told, and tells its program; what does not listen is killed.
void endProcesses(const std::vector<pid_t>& processes) {
    constexpr int kTurns = 100;
    const auto lives = [](pid_t one) { return ::kill(one, 0) == 0; };
    for (const pid_t one : processes)
        ::kill(one, SIGTERM);
    for (int i = 0; i < kTurns && std::ranges::any_of(processes, lives); ++i)
        std::this_thread::sleep_for(50ms);
    for (const pid_t one : processes)
        ::kill(one, SIGKILL);
}

} // namespace

int holdLoop(int inputDescriptor, int outputDescriptor) {
    const TemporaryFolder folder;
    writeAll(outputDescriptor, "olab-hold|" + folder.path().string() + "\n");
    pollfd watched{inputDescriptor, POLLIN, 0};
    constexpr auto kPatience = std::chrono::milliseconds(kMostSilence);
    for (std::string text; ::poll(&watched, 1, static_cast<int>(kPatience.count())) > 0; text.clear())
        if (readSome(inputDescriptor, text) == ReadState::End)
            break;
    endProcesses(processesOf(folder.path()));
    return 0;
}

} // namespace olab::run
