#include <olab/experiment/plan.h>
#include <olab/run/engine_loop.h>

#include "pipes.h"
#include "rehearsal.h"
#include "throttle.h"
#include "time_limit.h"

#include <olab/run/protocol.h>
#include <olab/run/runner.h>
#include <olab/trace/container.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace olab::run {
namespace {

using namespace std::chrono_literals;

/// Reads the job pipe on a separate thread, so that the parent's death is noticed while a job runs.
class JobReader {
public:
    explicit JobReader(int descriptor)
        : m_descriptor(descriptor)
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
        // No timeout: no thread may wake up while a job measures. The loop below runs until the pipe ends, so
        // nothing waits for this.
        for (std::string text; readSome(m_descriptor, text) != ReadState::End && take(text);)
            text.clear();
        end(stop);
    }
    bool take(const std::string& text) try {
        m_lines.append(text);
        const std::lock_guard lock(m_mutex);
        for (std::string line; m_lines.next(line);)
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
        for (auto waited = 0ms; waited < 5s && !stop.stop_requested(); waited += 5ms)
            std::this_thread::sleep_for(5ms);
        if (!stop.stop_requested())
            std::_Exit(static_cast<int>(ErrorKind::DeviceFailed));
    }

    int m_descriptor;
    LineBuffer m_lines;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::string> m_pending;
    bool m_ended = false;
    std::stop_source m_orphaned;
    std::jthread m_thread; ///< last: it uses all of the above
};

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

void serve(experiment::Backend& backend, const std::string& line, int descriptor,
           const std::stop_token& stop) {
    std::uint64_t number = 0;
    try {
        const JobLine job = jobFromLine(line);
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
        event.kind = EventLine::Kind::Finished;
        event.file = job.out;
        send(descriptor, event);
    } catch (...) {
        send(descriptor, failedEvent(number, currentError()));
    }
}

} // namespace

int engineLoop(experiment::Backend& backend, int jobDescriptor, int eventDescriptor) {
    JobReader jobs(jobDescriptor);
    send(eventDescriptor, EventLine{});
    for (std::string line; jobs.next(line);)
        serve(backend, line, eventDescriptor, jobs.orphaned());
    return 0;
}

} // namespace olab::run
