// The user's title and note of a recording. Kept in its file as a separate JSON chunk ("olab-label"):
// {"title", "note"}, present only if one of them is. Unknown members are ignored, so that later versions may
// add some. Pure functions, any thread; they never throw on data.
#pragma once

#include <olab/io/bookmarks.h>

#include <string>
#include <string_view>
#include <vector>

namespace olab::io {

inline constexpr std::size_t kMaxTitleBytes = 200; ///< a line in lists and pictures; notes: kMaxNoteBytes

struct RunLabel {
    std::string title; ///< UTF-8, one line; empty: the file name is the title
    std::string note;  ///< UTF-8
    bool empty() const { return title.empty() && note.empty(); }
    friend bool operator==(const RunLabel&, const RunLabel&) = default;
};

/// What the user added to a recording, which itself never changes.
struct Annotations {
    std::vector<Bookmark> bookmarks;
    RunLabel label;
};

/// On one line, without characters that would move the cursor of a terminal, at most kMaxTitleBytes, whole
/// characters.
std::string cleanTitle(std::string_view text);
/// The same for a note, which may have several lines, tabs and at most kMaxNoteBytes.
std::string cleanNote(std::string_view text);
std::string labelToJson(const RunLabel& label);
/// `refused` gets the reason if the text is not a label; `partly` is set, never cleared, if not all of it was
/// kept.
RunLabel labelFromJson(std::string_view json, std::string& refused, bool& partly);

} // namespace olab::io
