// What a person calls a recording, and what they noted about it. Kept in its file as a JSON chunk of its own
// ("olab-label"): {"title", "note"}, which is there only if one of them is. Members that are not known here
// are ignored, so that a later program may add some. Pure functions, any thread; they never throw on data.
#pragma once

#include <olab/io/bookmarks.h>

#include <string>
#include <string_view>
#include <vector>

namespace olab {

inline constexpr std::size_t kMaxTitleBytes = 200; ///< a line in lists and pictures; notes: kMaxNoteBytes

struct RunLabel {
    std::string title; ///< UTF-8, one line; empty: the file's name is its title
    std::string note;  ///< UTF-8
    bool empty() const { return title.empty() && note.empty(); }
    friend bool operator==(const RunLabel&, const RunLabel&) = default;
};

/// What a person added to a recording, which itself never changes.
struct Annotations {
    std::vector<Bookmark> bookmarks;
    RunLabel label;
};

/// In one line, without what would move the cursor of a terminal, at most kMaxTitleBytes, whole letters.
std::string cleanTitle(std::string_view text);
/// The same for a note, which may have lines and tabs and kMaxNoteBytes.
std::string cleanNote(std::string_view text);
std::string labelToJson(const RunLabel& label);
/// `refused` gets why the text is none; `partly` is set, never cleared, when not all of it was kept.
RunLabel labelFromJson(std::string_view json, std::string& refused, bool& partly);

} // namespace olab
