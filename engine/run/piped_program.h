// A program with pipes at its standard input, output and error. Private to run. One thread at a time.
#pragma once

#include "spawn.h"

#include <chrono>
#include <optional>

namespace olab::run {

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
