// A command of `olab`: one file <name>_command.cpp that defines k<Name>Command, and its name in
// CMakeLists.txt. Usage,
// --help, the man page and resources/doc/cli.md follow from the row.
#pragma once

#include "arguments.h"
#include "printed.h"

namespace olab::run {
struct RunnerError;
} // namespace olab::run

namespace olab::cli {}

namespace olab::cli {

struct Command {
    std::string_view name;
    std::string_view usage;   ///< what follows the name: "FILE... [--json]"
    std::string_view summary; ///< one line
    std::string_view text;    ///< more for --help; may be empty
    std::span<const OptionSpec> options;
    std::size_t minPositional = 0, maxPositional = 0;
    /// @returns the exit code. @throws Error, which main turns into a message and its exit code
    int (*run)(const Arguments&);
    bool isInternal = false;     ///< not listed by `olab --help`
    bool dashesSeparate = false; ///< "--" stands between two lists of files
};

/// All of them, in the order of --help.
std::span<const Command* const> commands();

struct ExitCode {
    int code;
    std::string_view meaning;
};
/// What every command may return.
std::span<const ExitCode> exitCodes();

/// Writes to stdout. @throws Error when that fails (a full disk behind a redirection must not look like
/// success)
void print(const Printed& text);
/// The same of JSON, which stays as it is: it has its own way to write controls, and is not for eyes.
void printJson(std::string_view json);
/// A line or two to stderr, with the program's name before it.
void say(const Printed& text);
void say(Literal text);
/// What could not be done, and what to do about it.
void say(const run::RunnerError& error);

} // namespace olab::cli
