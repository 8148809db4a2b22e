// What long commands do while they work: a progress line on a terminal, and Ctrl+C as an orderly cancel.
#pragma once

#include <olab/trace/run_control.h>

#include <memory>
#include <string>

namespace olab::cli {

/// Shows progress on stderr if that is a terminal, and asks the job to stop on SIGINT, SIGTERM or SIGHUP; a
/// second signal ends the process at once. One at a time, made before any other thread is started: it blocks
/// those signals for all of them.
class Console {
public:
    Console();
    ~Console(); ///< clears the progress line, restores the signals
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;
    RunControl control() const;
    void clearLine() const; ///< before something else is printed

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace olab::cli
