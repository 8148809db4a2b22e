// What of a write-ahead log SQLite does not use, and says nothing of: it reads the log up to the last
// finished transaction before the first frame that is not as it was written. Private to io.
//
// The format: https://www.sqlite.org/fileformat2.html, section 4.
#pragma once

#include <olab/trace/run_control.h>

#include <filesystem>
#include <string>

namespace olab::imports {

/// Empty: all of it is used, but for what is left of an earlier use of the file.
/// @throws Error when cancelled
std::string unusedOfLog(const std::filesystem::path& log, const RunControl& control);

} // namespace olab::imports
