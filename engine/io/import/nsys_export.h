// Converts reports of Nsight Systems with the user's own nsys, in a child process. Private to io.
#pragma once

#include <olab/trace/run_control.h>

#include <filesystem>
#include <optional>
#include <string>

namespace olab::io::imports {

/// "none" in OLAB_NSYS: no report is converted.
bool refusesNsys();
/// The program: OLAB_NSYS if it is set, else nsys of PATH, else of the usual folders, newest version first.
/// Nothing if there is none, or refusesNsys(). @throws Error "no-nsys" if OLAB_NSYS is a relative path
std::optional<std::filesystem::path> findNsys();

/// The export that lies beside a report (NAME.sqlite) and is newer than it; empty: there is none.
std::filesystem::path exportBeside(const std::filesystem::path& report);

/// Runs `nsys export --type sqlite` in the folder of `into`, and waits for it. However this process ends,
/// nsys ends with it. @throws Error "nsys-failed" with what nsys said; "nsys-not-started"; when cancelled
void exportReport(const std::filesystem::path& nsys, const std::filesystem::path& report,
                  const std::filesystem::path& into, const RunControl& control);

} // namespace olab::io::imports
