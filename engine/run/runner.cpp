#include <olab/run/runner.h>

#include "throttle.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace olab {

RunnerError currentError() {
    try {
        throw;
    } catch (const Error& e) {
        return {e.kind(), e.code(), e.what(), e.hint()};
    } catch (const std::bad_alloc&) {
        return {ErrorKind::Internal, "out-of-memory", "There is not enough memory for this.",
                "Make the experiment smaller (fewer iterations or streams), or close other programs."};
    } catch (const std::exception& e) {
        return {ErrorKind::Internal, "unexpected", std::string("An unexpected error: ") + e.what(),
                "This is a fault of the program: please report it with what you did."};
    } catch (...) {
        return {ErrorKind::Internal, "unexpected", "An unexpected error of unknown kind.",
                "This is a fault of the program: please report it with what you did."};
    }
}

struct Runner::State {
    RunnerObserver observer;
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::uint64_t lastJob = 0;
    bool busy = false;
    std::string what;      ///< of the job that waits to be taken
    Job waiting;           ///< empty: none
    std::stop_source stop; ///< of the running job
    std::jthread thread;   ///< last: it uses all of the above

    void loop(const std::stop_token& ending);
    void execute(std::uint64_t number, const std::string& name, const Job& job, const std::stop_token& token);
    RunControl controlFor(std::uint64_t number, const std::stop_token& token) const;
    void release();
};

void Runner::State::release() {
    const std::lock_guard lock(mutex);
    busy = false;
}

RunControl Runner::State::controlFor(std::uint64_t number, const std::stop_token& token) const {
    RunControl control;
    control.stop = token;
    if (observer.progress)
        control.progress = [this, number, throttle = Throttle()](double share,
                                                                 std::string_view text) mutable {
            if (throttle.due())
                observer.progress(number, share, std::string(text));
        };
    return control;
}

/// Free before the last word: whoever hears "finished" may start the next job at once.
void Runner::State::execute(std::uint64_t number, const std::string& name, const Job& job,
                            const std::stop_token& token) {
    if (observer.started)
        observer.started(number, name);
    RecordingPtr recording;
    std::optional<RunnerError> error;
    try {
        recording = job(controlFor(number, token));
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

void Runner::State::loop(const std::stop_token& ending) {
    for (;;) {
        std::unique_lock lock(mutex);
        if (!changed.wait(lock, ending, [this] { return static_cast<bool>(waiting); }))
            return;
        const Job job = std::exchange(waiting, nullptr);
        const std::string name = std::exchange(what, {});
        const std::uint64_t number = lastJob;
        const std::stop_token token = stop.get_token();
        lock.unlock();
        execute(number, name, job, token);
    }
}

Runner::Runner(RunnerObserver observer)
    : m_state(std::make_unique<State>()) {
    m_state->observer = std::move(observer);
    m_state->thread =
        std::jthread([state = m_state.get()](const std::stop_token& ending) { state->loop(ending); });
}

Runner::~Runner() {
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->waiting = nullptr; // a job not yet taken never starts
    }
    cancel();
    m_state->thread.request_stop();
    m_state->thread.join();
}

std::uint64_t Runner::start(std::string what, Job job) {
    const std::lock_guard lock(m_state->mutex);
    if (m_state->busy || !job)
        return 0;
    m_state->busy = true;
    m_state->stop = std::stop_source();
    m_state->what = std::move(what);
    m_state->waiting = std::move(job);
    m_state->changed.notify_all();
    return ++m_state->lastJob;
}

void Runner::cancel() {
    std::unique_lock lock(m_state->mutex);
    std::stop_source running = m_state->stop;
    lock.unlock(); // what a job hangs on its token is called here and may ask us something
    running.request_stop();
}

bool Runner::busy() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->busy;
}

} // namespace olab
