#include <olab/experiment/plan.h>
#include <olab/run/engine_loop.h>

#include "job_reader.h"
#include "pipes.h"
#include "rehearsal.h"
#include "throttle.h"
#include "time_limit.h"

#include <olab/run/protocol.h>
#include <olab/run/relay.h>
#include <olab/run/runner.h>
#include <olab/trace/container.h>
#include <olab/trace/temporary_folder.h>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <thread>

namespace olab::run {
namespace {

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

} // namespace olab::run
