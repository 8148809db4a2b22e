// A short command of the system, and what it prints.
#pragma once

#include <olab/trace/run_control.h>

#include <filesystem>
#include <string>
#include <vector>

namespace olab::run {

/// Runs `words`, the first of which is a path, with standard output and error in `output` (at most 64 KiB)
/// and the file `input`, if one is named, behind standard input. A cancel ends it. @returns the exit code
/// (128 and the signal's number where it died). @throws Error
int runCaptured(const std::vector<std::string>& words, std::string& output,
                const std::filesystem::path& input = {}, const RunControl& control = {});
/// The last line of a text that says something.
std::string lastLineOf(std::string_view text);

} // namespace olab::run
