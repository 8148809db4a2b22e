#include <olab/io/bookmarks.h>

#include "text_cut.h"

#include <olab/trace/json_limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace olab::io {
namespace {

using PlainJson = nlohmann::json;
using OrderedJson = nlohmann::ordered_json; // for writing: keys in reading order

constexpr Ns kFarthest = Ns{1} << 61;        // differences of such times fit
constexpr std::size_t kMaxText = 128u << 20; // all notes at maximum length, every character escaped

OrderedJson jsonOf(const Bookmark& bookmark) {
    OrderedJson json{{"begin_ns", bookmark.time.begin}, {"end_ns", bookmark.time.end}};
    if (!bookmark.row.empty())
        json["row"] = bookmark.row;
    json["note"] = bookmark.note;
    if (bookmark.activity)
        json["activity"] = *bookmark.activity;
    return json;
}

Ns timeIn(const PlainJson& json, const char* key) {
    const auto time = wholeNumber(json.at(key), 1 - kFarthest, kFarthest - 1);
    return time ? *time : throw std::invalid_argument(std::string(key) + " is not a time");
}

/// "" if there is none. `partly` is set if the text is longer than what is kept.
std::string textIn(const PlainJson& json, const char* key, bool& partly) {
    const std::string whole = json.value(key, std::string());
    partly = partly || whole.size() > kMaxNoteBytes;
    return cutNote(whole);
}

std::optional<ActivityIndex> activityIn(const PlainJson& json, bool& partly) {
    const auto found = json.find("activity");
    if (found == json.end())
        return std::nullopt;
    if (const auto index = wholeNumber(*found, 0, std::numeric_limits<ActivityIndex>::max()))
        return static_cast<ActivityIndex>(*index);
    partly = true;
    return std::nullopt;
}

Bookmark bookmarkFrom(const PlainJson& json, bool& partly) {
    Bookmark made;
    made.time = {timeIn(json, "begin_ns"), timeIn(json, "end_ns")};
    if (made.time.end < made.time.begin)
        throw std::invalid_argument("one ends before it begins");
    made.row = textIn(json, "row", partly);
    made.note = textIn(json, "note", partly);
    made.activity = activityIn(json, partly);
    return made;
}

/// Keeps only the members of bookmarks; otherwise a hostile text would fill the memory before it is checked.
class OnlyBookmarks {
public:
    /// `partly` is set if a member is left out.
    explicit OnlyBookmarks(bool& partly)
        : m_partly(&partly) {}
    bool operator()(int depth, PlainJson::parse_event_t event, const PlainJson& parsed) {
        using Event = PlainJson::parse_event_t;
        if (event == Event::key) {
            const bool known = isKnown(depth, parsed);
            *m_partly = *m_partly || !known;
            return known;
        }
        if (depth == 2 &&
            (event == Event::object_start || event == Event::value || event == Event::array_start))
            return ++m_count <= kMaxBookmarks + 1; // one more, which is then refused
        return depth < 4;
    }

private:
    static bool isKnown(int depth, const PlainJson& key) {
        if (depth == 1)
            return key == "bookmarks";
        return key == "begin_ns" || key == "end_ns" || key == "row" || key == "note" || key == "activity";
    }
    bool* m_partly; // the parser copies this object
    std::size_t m_count = 0;
};

void refuse(std::vector<std::string>& refused, const std::string& why) {
    if (std::ranges::find(refused, why) == refused.end())
        refused.push_back(why);
}

} // namespace

std::string titleOf(const Bookmark& bookmark) {
    const std::size_t begin = bookmark.note.find_first_not_of(" \t\r\n");
    return begin == std::string::npos
               ? std::string()
               : bookmark.note.substr(begin, bookmark.note.find_first_of("\r\n", begin) - begin);
}

std::string cutNote(std::string note) {
    return detail::cutAtLetter(std::move(note), kMaxNoteBytes);
}

std::string bookmarksToJson(std::span<const Bookmark> bookmarks) {
    OrderedJson list = OrderedJson::array();
    for (const Bookmark& bookmark : bookmarks)
        list.push_back(jsonOf(bookmark));
    return OrderedJson{{"bookmarks", list}}.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::vector<Bookmark> bookmarksFromJson(std::string_view text, std::vector<std::string>& refused,
                                        bool* partly) {
    bool leftOut = false;
    bool& isPartly = partly ? *partly : leftOut;
    std::vector<Bookmark> good;
    if (text.size() > kMaxText) {
        refuse(refused, "too long to be a list of bookmarks");
        return good;
    }
    const PlainJson json = PlainJson::parse(text, OnlyBookmarks(isPartly), false);
    const auto list = json.is_object() ? json.find("bookmarks") : json.end();
    if (!json.is_object() || list == json.end() || !list->is_array()) {
        refuse(refused, "no list of bookmarks");
        return good;
    }
    for (const PlainJson& item : *list) {
        if (good.size() == kMaxBookmarks) {
            refuse(refused, "more than " + std::to_string(kMaxBookmarks));
            break;
        }
        try {
            good.push_back(bookmarkFrom(item, isPartly));
        } catch (const nlohmann::json::exception&) {
            refuse(refused, "one lacks its times, or holds something of the wrong kind");
        } catch (const std::invalid_argument& e) {
            refuse(refused, e.what());
        }
    }
    return good;
}

void fitBookmarks(std::vector<Bookmark>& bookmarks, const Trace& trace) {
    for (Bookmark& bookmark : bookmarks)
        if (bookmark.activity &&
            (*bookmark.activity >= trace.size() || trace.time(*bookmark.activity) != bookmark.time))
            bookmark.activity.reset();
    std::ranges::stable_sort(bookmarks, {}, [](const Bookmark& b) { return b.time.begin; });
}

} // namespace olab::io
