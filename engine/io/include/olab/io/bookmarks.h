// Bookmarks: places in a recording that the user marked, with a note. They belong to the recording and are
// kept in its file as a separate JSON chunk ("olab-bookmarks"): {"bookmarks": [{"begin_ns", "end_ns", "row",
// "note", "activity"}]}. Unknown members are ignored, so that later versions may add some. Times are those of
// the trace, in ns.
#pragma once

#include <olab/trace/trace.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::io {

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

} // namespace olab::io
