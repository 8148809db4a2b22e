// Programs started by posix_spawn. Private to run.
#pragma once

#include "pipes.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace olab::run {

/// A descriptor of this process, and the number under which the program finds it.
struct GivenDescriptor {
    int ours, theirs;
};

enum class Terminal : std::uint8_t {
    Apart,  ///< a process group of its own: Ctrl+C reaches only this process, which then ends the other
            ///< properly
    Shared, ///< it may ask questions on the terminal; it ignores Ctrl+C where it can
};

/// `environment`: "NAME=value", added to that of this process. Default signal mask, whatever mask the
/// starting thread has. @returns the process's number. @throws Error (no-engine)
int spawnProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 std::vector<std::string> environment, std::span<const GivenDescriptor> descriptors,
                 Terminal terminal = Terminal::Apart);

/// A killed process can take long to exit (the driver frees its memory first), and nothing must wait for
/// that.
void reapInBackground(int pid);

/// Readable when the process has ended. Closed: there is none, or the system is too old.
Descriptor openPidfd(int pid);

/// "was killed by signal 9 (Killed)", "ended with exit code 3"; `status` is that of waitpid().
std::string endText(int status);

/// A program with pipes at its standard input, output and error. One thread at a time.
class PipedProgram {
public:
    /// @throws Error
    explicit PipedProgram(const std::vector<std::string>& words, Terminal terminal = Terminal::Apart);
    ~PipedProgram(); ///< ends it (SIGTERM) if it still runs; reaped in the background
    PipedProgram(const PipedProgram&) = delete;
    PipedProgram& operator=(const PipedProgram&) = delete;

    /// Readers return End when the program has closed its end; writes go to `input`.
    Descriptor input, output, errors;
    /// True if it has ended (and was reaped by this call).
    bool hasEnded();
    bool waitForEnd(std::chrono::milliseconds limit);
    void end(int signal);
    /// That of waitpid(); nullopt while it runs.
    std::optional<int> status() const { return m_status; }

private:
    int m_pid = 0;
    std::optional<int> m_status;
};

} // namespace olab::run
