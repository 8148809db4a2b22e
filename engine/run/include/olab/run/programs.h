// How the programs of this product find each other. A program or library in the working directory is never
// started or loaded. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace olab::run {

/// The path of the running program; empty if the system does not provide it.
std::filesystem::path ownProgram();
/// Next to this program, or in the absolute folders of PATH. Empty if not found.
std::filesystem::path findProgram(std::string_view name);
/// A list of folders such as PATH without those that are empty or relative, which mean the current folder.
std::string absoluteFolders(std::string_view list);

// How both programs begin, and error message and exit code when an exception reaches main().

struct RunnerError;
using Say = void (*)(const RunnerError&);

/// Only inside a catch block. Prints message and hint and returns the exit code of cli.md: that of an Error,
/// 70 for a fault of the program or no memory left, never 1, which means that an assertion failed. If there
/// is no memory for the message, it prints that instead.
int reportCurrentError(Say say) noexcept;

/// Where standard input, output or error is closed, no file that is opened later takes its place: reading and
/// writing there fails as before. Call before anything is opened.
void keepStandardFiles() noexcept;

/// If a thread ends by an exception, or one is thrown where none is allowed, the process ends with this
/// message and exit code 70 instead of a signal. Call once at program start.
void useLastWords(Say say);

} // namespace olab::run
