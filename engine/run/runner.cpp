#include <olab/run/runner.h>

#include "throttle.h"

#include <olab/trace/side_by_side.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

namespace olab::run {
namespace {

RunnerError unexpected(const std::exception& e) {
    return {ErrorKind::Internal, "unexpected", std::string("An unexpected error: ") + e.what(),
            "This is a fault of the program: please report it with what you did."};
}

} // namespace

RunnerError currentError() {
    try {
        throw;
    } catch (const Error& e) {
        return {e.kind(), e.code(), e.what(), e.hint()};
    } catch (const std::bad_alloc&) {
        return {ErrorKind::Internal, "out-of-memory", "There is not enough memory for this.",
                "Make the experiment smaller (fewer iterations or streams), or close other programs."};
    } catch (const std::system_error& e) {
        if (!meansNoThread(e))
            return unexpected(e);
        return {ErrorKind::Internal, "no-thread",
                "The system gives this program no further thread, and this cannot be done without one.",
                "End other programs, or allow more threads (ulimit -u, a container's limit on processes)."};
    } catch (const std::exception& e) {
        return unexpected(e);
    } catch (...) {
        return {ErrorKind::Internal, "unexpected", "An unexpected error of unknown kind.",
                "This is a fault of the program: please report it with what you did."};
    }
}

struct Runner::State {
    /// A job that was started but not yet picked up.
    struct Waiting {
        std::uint64_t number = 0;
        std::string what;
        Job job;
        std::stop_source stop;
    };
    RunnerObserver observer;
    RunnerIdle idle;
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::uint64_t lastJob = 0;
    bool running = false, yielded = false;
    std::optional<Waiting> waiting;
    std::stop_source stop; ///< of the running job
    std::jthread thread;   ///< last: it uses all of the above

    bool busy() const { return waiting || (running && !yielded); }
    void loop(const std::stop_token& ending);
    bool awaitJob(std::unique_lock<std::mutex>& lock, const std::stop_token& ending, bool idleNext);
    void execute(const Waiting& job);
    JobControl controlFor(std::uint64_t number, const std::stop_token& token);
    void release();
};

void Runner::State::release() {
    const std::lock_guard lock(mutex);
    running = yielded = false;
}

JobControl Runner::State::controlFor(std::uint64_t number, const std::stop_token& token) {
    JobControl control;
    control.stop = token;
    if (observer.progress)
        control.progress = [this, number, throttle = Throttle()](double share,
                                                                 std::string_view text) mutable {
            if (throttle.due(text))
                observer.progress(number, share, std::string(text));
        };
    control.preview = [this, number](recording::RecordingPtr recording) {
        if (observer.preview)
            observer.preview(number, std::move(recording));
    };
    control.yield = [this, number] {
        {
            const std::lock_guard lock(mutex);
            yielded = true;
        }
        if (observer.yielded)
            observer.yielded(number);
    };
    return control;
}

/// Idle before the final event: on "finished" the next job may be started immediately.
void Runner::State::execute(const Waiting& taken) {
    const std::uint64_t number = taken.number;
    if (observer.started)
        observer.started(number, taken.what);
    recording::RecordingPtr recording;
    std::optional<RunnerError> error;
    try {
        const JobControl control = controlFor(number, taken.stop.get_token());
        control.throwIfCancelled(); // while it waited
        recording = taken.job(control);
    } catch (...) {
        error = currentError();
    }
    release();
    if (!error && observer.finished)
        observer.finished(number, std::move(recording));
    else if (error && error->kind == ErrorKind::Cancelled && observer.cancelled)
        observer.cancelled(number);
    else if (error && error->kind != ErrorKind::Cancelled && observer.failed)
        observer.failed(number, std::move(*error));
}

/// False: none arrived in time, or there will be none.
bool Runner::State::awaitJob(std::unique_lock<std::mutex>& lock, const std::stop_token& ending,
                             bool idleNext) {
    const auto there = [this] { return waiting.has_value(); };
    return idleNext ? changed.wait_for(lock, ending, idle.after, there) : changed.wait(lock, ending, there);
}

void Runner::State::loop(const std::stop_token& ending) {
    for (bool idleNext = false;;) {
        std::unique_lock lock(mutex);
        const bool any = awaitJob(lock, ending, idleNext);
        if (ending.stop_requested())
            return;
        if (!any) {
            idleNext = false;
            lock.unlock();
            idle.action();
            continue;
        }
        const Waiting taken = *std::exchange(waiting, std::nullopt);
        running = true;
        stop = taken.stop;
        lock.unlock();
        execute(taken);
        idleNext = static_cast<bool>(idle.action);
    }
}

Runner::Runner(RunnerObserver observer, RunnerIdle idle)
    : m_state(std::make_unique<State>()) {
    m_state->observer = std::move(observer);
    m_state->idle = std::move(idle);
    m_state->thread =
        std::jthread([state = m_state.get()](const std::stop_token& ending) { state->loop(ending); });
}

Runner::~Runner() {
    cancel();
    m_state->thread.request_stop(); // a job not yet picked up never starts
    m_state->thread.join();
}

std::uint64_t Runner::start(std::string what, Job job) {
    std::unique_lock lock(m_state->mutex);
    if (m_state->busy() || !job)
        return 0;
    m_state->waiting = State::Waiting{++m_state->lastJob, std::move(what), std::move(job), {}};
    const std::uint64_t number = m_state->lastJob;
    std::stop_source yielded = m_state->running ? m_state->stop : std::stop_source(std::nostopstate);
    m_state->changed.notify_all();
    lock.unlock(); // stop callbacks of a job run here and may call back into this
    yielded.request_stop();
    return number;
}

void Runner::cancel() {
    std::unique_lock lock(m_state->mutex);
    std::stop_source running = m_state->stop,
                     waiting = m_state->waiting ? m_state->waiting->stop : std::stop_source(std::nostopstate);
    lock.unlock(); // as above
    running.request_stop();
    waiting.request_stop();
}

bool Runner::busy() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->busy();
}

} // namespace olab::run
