// What a user adds to a recording: bookmarks, a title and a note.
#pragma once

#include <olab/trace/trace.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::io {

/// Bookmarks: places in a recording that the user marked, with a note. They belong to the recording and are
/// kept in its file as a separate JSON chunk ("olab-bookmarks"): {"bookmarks": [{"begin_ns", "end_ns", "row",
/// "note", "activity"}]}. Unknown members are ignored, so that later versions may add some. Times are those
/// of the trace, in ns.
struct Bookmark {
    Interval time;                         ///< begin == end: a moment
    std::string row;                       ///< label of the lane ("GPU 0 compute"); empty: none
    std::string note;                      ///< UTF-8; its first line is the title
    std::optional<ActivityIndex> activity; ///< has exactly this time
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

inline constexpr std::size_t kMaxBookmarks = 1000;   ///< per recording: more would not be useful
inline constexpr std::size_t kMaxNoteBytes = 16'384; ///< of a note, and of a row's name

/// "" on a note without text. Any thread.
std::string titleOf(const Bookmark& bookmark);
/// Cut at a character boundary, so that it stays valid UTF-8.
std::string cutNote(std::string note);

std::string bookmarksToJson(std::span<const Bookmark> bookmarks);
/// The valid ones in the order of the text. `refused` gets the reasons for the others: one short text per
/// kind of fault. `partly` is set, never cleared, if a valid one was not kept completely (an unknown member,
/// a note too long), or the list has other members. Never throws on data.
std::vector<Bookmark> bookmarksFromJson(std::string_view json, std::vector<std::string>& refused,
                                        bool* partly = nullptr);

/// Sorted by begin; drops an activity that the trace does not have at this time (the trace may be a part of
/// the one that was marked).
void fitBookmarks(std::vector<Bookmark>& bookmarks, const Trace& trace);

// The user's title and note of a recording. Kept in its file as a separate JSON chunk ("olab-label"):
// {"title", "note"}, present only if one of them is. Unknown members are ignored, so that later versions may
// add some. Pure functions, any thread; they never throw on data.

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
