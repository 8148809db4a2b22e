// Converts reports of Nsight Systems with the user's own nsys, in a child process. Private to io.
#pragma once

#include <olab/trace/run_control.h>

#include <filesystem>
#include <optional>
#include <string>

namespace olab::io::imports {

/// The program: OLAB_NSYS if it is set, else nsys of PATH, else of the usual folders, newest version first.
/// Nothing if there is none.
std::optional<std::filesystem::path> findNsys();

/// The export that lies beside a report (NAME.sqlite) and is newer than it; empty: there is none.
std::filesystem::path exportBeside(const std::filesystem::path& report);

/// A folder of its own for an export; removed with what is in it.
class ExportFolder {
public:
    /// @throws Error "cannot-read" if no folder can be made
    explicit ExportFolder(const std::filesystem::path& report);
    ~ExportFolder();
    ExportFolder(const ExportFolder&) = delete;
    ExportFolder& operator=(const ExportFolder&) = delete;
    std::filesystem::path file() const { return m_folder / "export.sqlite"; }

private:
    std::filesystem::path m_folder;
};

/// Runs `nsys export --type sqlite` and waits for it. @throws Error "nsys-failed" with what nsys said;
/// "nsys-not-started"; when cancelled (nsys is ended)
void exportReport(const std::filesystem::path& nsys, const std::filesystem::path& report,
                  const std::filesystem::path& into, const RunControl& control);

} // namespace olab::io::imports
