// The engine thread. One job at a time; posts started, progress, finished, failed, cancelled; joins in its
// destructor. The only place where an Error is caught.
#pragma once

#include <olab/run/recording.h>
#include <olab/trace/run_control.h>

#include <functional>
#include <memory>
#include <string>

namespace olab {

struct RunnerError {
    ErrorKind kind{};
    std::string code, message, hint;
};

/// What the exception being handled means to a person. Only inside a catch block.
RunnerError currentError();

/// Called on the engine thread; an observer in a GUI posts each to its own thread.
struct RunnerObserver {
    std::function<void(std::uint64_t job, std::string what)> started;
    std::function<void(std::uint64_t job, double share, std::string what)> progress; ///< at most 20 a second
    std::function<void(std::uint64_t job, RecordingPtr)> finished;
    std::function<void(std::uint64_t job, RunnerError)> failed;
    std::function<void(std::uint64_t job)> cancelled;
};

/// Work that yields a recording (a run, an import), or null when it yields none (an export).
using Job = std::function<RecordingPtr(const RunControl&)>;

class Runner {
public:
    explicit Runner(RunnerObserver observer);
    ~Runner(); ///< cancels and joins
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    /// Queues nothing: @returns 0 if a job is running, else its number. May be called from an observer's
    /// function: when finished, failed or cancelled is called, the Runner is free again.
    std::uint64_t start(std::string what, Job job);
    void cancel();
    bool busy() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace olab
