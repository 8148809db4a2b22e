// Programs started by posix_spawn. Private to run.
#pragma once

#include "pipes.h"

#include <cstdint>
#include <filesystem>
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

} // namespace olab::run
