// Bookmarks and notes of a file written by another tool, kept next to it: NAME.olab-notes.json in its folder,
// or in the user's data folder (XDG_DATA_HOME/overlap-lab/notes) if that cannot be written. The file itself
// is never changed. Matched by content (size, first and last MiB), also under another name. JSON: {"format":
// "olab-notes", "version": 1, "of": {"bytes", "hash"}, "bookmarks", "title", "note"}. Written whole or not at
// all.
#pragma once

#include <olab/io/notes.h>

#include <filesystem>
#include <optional>
#include <string>

namespace olab::io {

/// Those of `file`, if there are any. `refused` gets the reason if those next to it are not used; empty: they
/// are, or there are none. Never throws on data.
std::optional<Annotations> sideNotesOf(const std::filesystem::path& file, std::string& refused);
/// @returns where they are now. @throws Error if neither place can be written
std::filesystem::path keepSideNotes(const std::filesystem::path& file, const Annotations& added);

} // namespace olab::io
