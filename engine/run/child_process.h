// One running child, and those that are exiting. Private to run. One thread at a time.
#pragma once

#include "pipes.h"

#include <olab/trace/run_control.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace olab::run {

/// Exiting children, of both kinds: the destruction of a context disturbs the next measurement, so the next
/// child starts when they are gone; nothing else waits for them. One thread at a time.
class Departure {
public:
    /// `process` can be polled for its end (a pidfd); a closed one has already ended.
    void add(Descriptor process);
    /// Waits for all. A child that does not end within 3 s is killed; if it cannot be killed, it is abandoned
    /// after 15 s. @throws Error when cancelled
    void await(const RunControl& control);

private:
    std::vector<Descriptor> m_leaving;
};

/// One running child: started by posix_spawn with a pipe to its stdin, one from kEventDescriptor, and one
/// from its stdout and stderr (drivers and kernels print there), of which the last 4 KiB are kept. Never
/// leaves a zombie or a descriptor. One thread at a time.
class ChildProcess {
public:
    /// @throws Error (no-engine) when it cannot be started `environment`: "NAME=value", added to this
    /// process's environment.
    ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment = {});
    ~ChildProcess(); ///< kills it if it still runs; reaped in the background
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    int pid() const { return m_pid; } ///< 0 after it was reaped or killed
    bool send(std::string_view line); ///< false when it no longer listens
    /// Waits at most `limit` for something to read, then reads what is available. False: the event pipe has
    /// closed.
    bool wait(std::chrono::milliseconds limit);
    bool nextLine(std::string& line) { return m_lines.next(line); }
    /// Closes its stdin, which tells it to end, and waits for that; kills it after `limit`.
    void finish(std::chrono::milliseconds limit);
    void kill();
    /// Closes its stdin and does not wait; the result can be polled for the end of the process (closed if the
    /// system does not support this; then it has waited).
    Descriptor leave(std::chrono::milliseconds limit);
    /// Kills it; the result can be polled for the end of the process (closed if the system does not support
    /// this).
    Descriptor killAndTell();
    /// True if it has ended (and was reaped by this call).
    bool hasEnded();
    /// "was killed by signal 9 (Killed)", "ended with exit code 3"; waits a moment for the end. Its last
    /// output follows, if any.
    std::string obituary();
    /// For a process that ended by itself and was reaped.
    std::optional<int> exitCode() const;

private:
    void drainOutput();
    bool waitForEnd(std::chrono::milliseconds limit);
    int m_pid = 0;
    std::optional<int> m_status; ///< of waitpid
    Descriptor m_jobs, m_events, m_output;
    LineBuffer m_lines;
    std::string m_lastOutput;
};

} // namespace olab::run
