// The engine thread. One job at a time; posts started, progress, preview, yielded, finished, failed,
// cancelled; joins in its destructor. The only place where an Error is caught. A job may post intermediate
// results (preview), and may allow to be replaced (yield): the next start() then stops it and takes its place
// as soon as it has ended.
#pragma once

#include <olab/recording/recording.h>
#include <olab/trace/run_control.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace olab::run {

struct RunnerError {
    ErrorKind kind{};
    std::string code, message, hint;
};

/// The user message for the exception being handled. Only inside a catch block.
RunnerError currentError();

/// Called on the engine thread; an observer in a GUI posts each to its own thread.
struct RunnerObserver {
    std::function<void(std::uint64_t job, std::string what)> started;
    std::function<void(std::uint64_t job, double share, std::string what)>
        progress; ///< each step, else at most 20 a second
    std::function<void(std::uint64_t job, recording::RecordingPtr)> finished;
    std::function<void(std::uint64_t job, RunnerError)> failed;
    std::function<void(std::uint64_t job)> cancelled;
    /// A complete recording, but the job continues and will post a better one; each replaces the one before.
    std::function<void(std::uint64_t job, recording::RecordingPtr)> preview;
    /// From now on the Runner accepts the next job; finished, failed or cancelled still follows.
    std::function<void(std::uint64_t job)> yielded;
};

/// What a job gets; both functions are set, and called on the engine thread.
struct JobControl : RunControl {
    std::function<void(recording::RecordingPtr)> preview;
    std::function<void()> yield;
};

/// Work that yields a recording (a run, an import), or null if it yields none (an export).
using Job = std::function<recording::RecordingPtr(const JobControl&)>;

/// Run once on the engine thread if no job arrives within this time after the last one. Must not throw.
struct RunnerIdle {
    std::chrono::milliseconds after{0};
    std::function<void()> action; ///< empty: nothing
};

class Runner {
public:
    explicit Runner(RunnerObserver observer, RunnerIdle idle = {});
    ~Runner(); ///< cancels and joins
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    /// @returns 0 if a job is running that has not yielded, or another one already waits for it to end; else
    /// the new job's number. May be called from an observer's function: when yielded, finished, failed or
    /// cancelled is called, the Runner is free again.
    std::uint64_t start(std::string what, Job job);
    void cancel();     ///< the running job and the waiting one
    bool busy() const; ///< start() would return 0

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace olab::run
