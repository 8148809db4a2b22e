// Any text as a list of bookmarks, as a label, and as what a person types for either: what is kept comes
// back as it is.
#include "fuzz.h"

#include <olab/io/notes.h>

using namespace olab;
using fuzz::require;

namespace {

void judgeBookmarks(std::string_view text) {
    std::vector<std::string> refused;
    const std::vector<io::Bookmark> good = io::bookmarksFromJson(text, refused);
    require(good.size() <= io::kMaxBookmarks);
    for (const io::Bookmark& bookmark : good) {
        require(bookmark.time.begin <= bookmark.time.end);
        require(bookmark.note.size() <= io::kMaxNoteBytes && bookmark.row.size() <= io::kMaxNoteBytes);
        io::titleOf(bookmark);
    }
    refused.clear();
    bool isPartly = false;
    require(io::bookmarksFromJson(io::bookmarksToJson(good), refused, &isPartly) == good);
    require(refused.empty() && !isPartly);
}

void comesBack(const io::RunLabel& label) {
    std::string refused;
    bool isPartly = false;
    require(label.title.size() <= io::kMaxTitleBytes && label.note.size() <= io::kMaxNoteBytes);
    require(io::labelFromJson(io::labelToJson(label), refused, isPartly) == label);
    require(refused.empty() && !isPartly);
}

void judgeLabel(std::string_view text) {
    std::string refused;
    bool isPartly = false;
    comesBack(io::labelFromJson(text, refused, isPartly));
    const io::RunLabel typed{io::cleanTitle(text), io::cleanNote(text)};
    require(io::cleanTitle(typed.title) == typed.title && io::cleanNote(typed.note) == typed.note);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    judgeBookmarks(fuzz::textOf(data, size));
    judgeLabel(fuzz::textOf(data, size));
    return 0;
}
