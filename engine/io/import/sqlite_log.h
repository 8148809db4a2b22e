// Finds the part of a write-ahead log that SQLite silently ignores: it reads the log up to the last complete
// transaction before the first invalid frame. Private to io.
//
// The format: https://www.sqlite.org/fileformat2.html, section 4.
#pragma once

#include <olab/trace/run_control.h>

#include <filesystem>
#include <string>

namespace olab::io::imports {

/// Empty: everything is used, except leftovers of an earlier use of the file.
/// @throws Error when cancelled
std::string unusedOfLog(const std::filesystem::path& log, const RunControl& control);

} // namespace olab::io::imports
