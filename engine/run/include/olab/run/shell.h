// Commands of the system, of another machine or of a user: their words, and what a short one prints.
#pragma once

#include <olab/trace/run_control.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::run {

/// Runs `words`, the first of which is a path, with standard output and error in `output` (at most 64 KiB)
/// and the file `input`, if one is named, behind standard input. A cancel ends it. @returns the exit code
/// (128 and the signal's number where it died). @throws Error
int runCaptured(const std::vector<std::string>& words, std::string& output,
                const std::filesystem::path& input = {}, const RunControl& control = {});
/// The last line of a text that says something.
std::string lastLineOf(std::string_view text);

// Words for the shell of another machine or of a user's own command.

/// One word as a POSIX shell reads it back, whatever is in it: 'it'\''s'. A plain one stays as it is.
std::string shellQuoted(std::string_view word);
/// The same of several, with spaces between them.
std::string shellQuoted(std::span<const std::string> words);

} // namespace olab::run
