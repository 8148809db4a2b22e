// Bookmarks: places of a recording that a person marked, with a note. They belong to the recording and are
// kept in its file as a JSON chunk of their own ("olab-bookmarks"): {"bookmarks": [{"begin_ns", "end_ns",
// "row", "note", "activity"}]}. Members that are not known here are ignored, so that a later program may add
// some. Times are those of the trace, in ns.
#pragma once

#include <olab/trace/trace.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab {

struct Bookmark {
    Interval time;                         ///< begin == end: a moment
    std::string row;                       ///< what a lane is called ("GPU 0 compute"); empty: none
    std::string note;                      ///< UTF-8; its first line is the title
    std::optional<ActivityIndex> activity; ///< has exactly this time
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

inline constexpr std::size_t kMaxBookmarks = 1000;   ///< of a recording: more are no help to anybody
inline constexpr std::size_t kMaxNoteBytes = 16'384; ///< of a note, and of a row's name

/// "" on a note without text. Any thread.
std::string titleOf(const Bookmark& bookmark);
/// Cut at a whole letter, so that it stays UTF-8.
std::string cutNote(std::string note);

std::string bookmarksToJson(std::span<const Bookmark> bookmarks);
/// The good ones in the order of the text. `refused` gets why each of the others is not: one short text for
/// all that have the same fault. `partly` is set, never cleared, when a good one was not kept whole (a member
/// that is not known here, a note too long), or the list has other members. Never throws on data.
std::vector<Bookmark> bookmarksFromJson(std::string_view json, std::vector<std::string>& refused,
                                        bool* partly = nullptr);

/// Sorted by begin; an activity that the trace does not have at this time is forgotten (the trace may be a
/// part of the one that was marked).
void fitBookmarks(std::vector<Bookmark>& bookmarks, const Trace& trace);

} // namespace olab
