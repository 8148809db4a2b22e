// Pictures are the window program's: it is started where nobody sees it, since this program contains no Qt.
#pragma once

#include <string>
#include <vector>

namespace olab::cli {

/// Waits for it. @returns its exit code @throws Error where it is not there, cannot be started or crashed
int runWindowProgram(const std::vector<std::string>& words);

} // namespace olab::cli
