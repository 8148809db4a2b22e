// Bookmarks and notes of a file that another tool wrote, kept beside it: NAME.olab-notes.json in its folder,
// or in the person's data folder (XDG_DATA_HOME/overlap-lab/notes) where that cannot be written. The file
// itself is never touched. Found again by what is in the file, its size and its first and last MiB, also
// under another name. JSON: {"format": "olab-notes", "version": 1, "of": {"bytes", "hash"}, "bookmarks",
// "title", "note"}. Written whole or not at all.
#pragma once

#include <olab/io/run_label.h>

#include <filesystem>
#include <optional>
#include <string>

namespace olab {

/// Of `file`, where there are any. `refused` gets why those beside it are not taken; empty: they are, or
/// there are none. Never throws on data.
std::optional<Annotations> sideNotesOf(const std::filesystem::path& file, std::string& refused);
/// @returns where they are now. @throws Error when neither place can be written
std::filesystem::path keepSideNotes(const std::filesystem::path& file, const Annotations& added);

} // namespace olab
