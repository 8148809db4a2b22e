// The traces that lie in a folder. Any thread.
#pragma once

#include <olab/trace/run_control.h>

#include <cstddef>
#include <filesystem>
#include <vector>

namespace olab::io {

/// What ends the search.
struct FolderBounds {
    std::size_t traces = 32;      ///< so many are named
    std::size_t entries = 20'000; ///< so many files and folders are looked at
    int depth = 3;                ///< folders below the first one
};
struct FolderTraces {
    std::vector<std::filesystem::path> files; ///< by name, numbers in them by value
    std::vector<std::filesystem::path>
        unlike;           ///< their name is that of a recording alone, their content is not
    std::size_t more = 0; ///< found beyond the bound
    bool stopped = false; ///< there are more entries than were looked at
};
/// Files whose name and first bytes are those of a format that can be read. Hidden ones and links to folders
/// are left out. @throws Error "cannot-read" if the folder itself cannot be read; when cancelled
FolderTraces tracesIn(const std::filesystem::path& folder, const RunControl& control,
                      const FolderBounds& bounds = {});

} // namespace olab::io
