// Any text as a list of bookmarks, as a label, and as what a person types for either: what is kept comes
// back as it is.
#include "fuzz.h"

#include <olab/io/run_label.h>

using namespace olab;
using fuzz::require;

namespace {

void judgeBookmarks(std::string_view text) {
    std::vector<std::string> refused;
    const std::vector<Bookmark> good = bookmarksFromJson(text, refused);
    require(good.size() <= kMaxBookmarks);
    for (const Bookmark& bookmark : good) {
        require(bookmark.time.begin <= bookmark.time.end);
        require(bookmark.note.size() <= kMaxNoteBytes && bookmark.row.size() <= kMaxNoteBytes);
        titleOf(bookmark);
    }
    refused.clear();
    bool isPartly = false;
    require(bookmarksFromJson(bookmarksToJson(good), refused, &isPartly) == good);
    require(refused.empty() && !isPartly);
}

void comesBack(const RunLabel& label) {
    std::string refused;
    bool isPartly = false;
    require(label.title.size() <= kMaxTitleBytes && label.note.size() <= kMaxNoteBytes);
    require(labelFromJson(labelToJson(label), refused, isPartly) == label);
    require(refused.empty() && !isPartly);
}

void judgeLabel(std::string_view text) {
    std::string refused;
    bool isPartly = false;
    comesBack(labelFromJson(text, refused, isPartly));
    const RunLabel typed{cleanTitle(text), cleanNote(text)};
    require(cleanTitle(typed.title) == typed.title && cleanNote(typed.note) == typed.note);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    judgeBookmarks(fuzz::textOf(data, size));
    judgeLabel(fuzz::textOf(data, size));
    return 0;
}
