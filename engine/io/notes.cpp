#include <olab/io/notes.h>

#include <olab/trace/limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace olab::io {
namespace {

// Cuts texts from users or files to the stored length.

/// Cut at a whole letter, so that it stays UTF-8.
inline std::string cutAtLetter(std::string text, std::size_t bytes) {
    if (text.size() <= bytes)
        return text;
    std::size_t end = bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // inside a character
        --end;
    text.resize(end);
    return text;
}

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
    return cutAtLetter(std::move(note), kMaxNoteBytes);
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

namespace {

constexpr std::size_t kMaxLabelText = 256u << 10; // the longest name and note, every character escaped

/// Control characters of ASCII and of Latin 1 (U+0080 to U+009F, two bytes) become spaces, but for `kept`.
std::string withoutControls(std::string_view text, std::string_view kept) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
        const bool latin = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        const bool isControl = byte < 0x20 || byte == 0x7f || latin;
        out += isControl && kept.find(text[i]) == kept.npos ? ' ' : text[i];
        i += latin ? 1 : 0;
    }
    return out;
}

std::string trimmedLabel(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\n");
    return first == text.npos ? std::string()
                              : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

} // namespace

std::string cleanTitle(std::string_view text) {
    return trimmedLabel(cutAtLetter(trimmedLabel(withoutControls(text, {})), kMaxTitleBytes));
}

std::string cleanNote(std::string_view text) {
    return trimmedLabel(cutAtLetter(trimmedLabel(withoutControls(text, "\n\t")), kMaxNoteBytes));
}

std::string labelToJson(const RunLabel& label) {
    PlainJson json = PlainJson::object();
    if (!label.title.empty())
        json["title"] = label.title;
    if (!label.note.empty())
        json["note"] = label.note;
    return json.dump(-1, ' ', false, PlainJson::error_handler_t::replace);
}

RunLabel labelFromJson(std::string_view text, std::string& refused, bool& partly) {
    std::string why;
    const auto parsed = parsedJson<PlainJson>(text, why, {.bytes = kMaxLabelText});
    RunLabel label;
    if (!parsed || !parsed->is_object()) {
        refused = "no name and note";
        return label;
    }
    for (const auto& [key, value] : parsed->items()) {
        const bool isTitle = key == "title", isText = value.is_string();
        if ((!isTitle && key != "note") || !isText) {
            partly = true;
            refused = isTitle || key == "note" ? "\"" + key + "\" is no text" : refused;
            continue;
        }
        const auto& said = value.get_ref<const std::string&>();
        (isTitle ? label.title : label.note) = isTitle ? cleanTitle(said) : cleanNote(said);
        partly = partly || (isTitle ? label.title : label.note) != said;
    }
    return label;
}

} // namespace olab::io
