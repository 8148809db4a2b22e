// A program started as a shell would start it: with our input and output, the signals that reach us passed
// on, and its exit code as ours.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace olab::cli {

/// How it ended.
struct ProgramEnd {
    int code = 0;   ///< as a shell has it: 128 and the signal's number
    int signal = 0; ///< 0: none ended it
    pid_t pid = 0;
};

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Looks at the file that a shell would run for the first of these words. @throws Error kind Usage if there
/// is none, or if the system would not let a library be loaded into it
void checkProgram(const std::vector<std::string>& words);

/// Runs it to its end. `variables` makes what is added to its environment, for a process with that id.
/// `atEnd`: what is to be done about its end, which no signal interrupts. `nowAndThen`: is called every few
/// seconds meanwhile; empty: nothing wakes up. @throws Error if it cannot be started
ProgramEnd runProgram(const std::vector<std::string>& words, const std::function<Variables(pid_t)>& variables,
                      const std::function<void(const ProgramEnd&)>& atEnd = {},
                      const std::function<void()>& nowAndThen = {});

/// What SIGXFSZ did before main() chose to ignore it.
extern void (*g_sizeLimitAtStart)(int);

} // namespace olab::cli
