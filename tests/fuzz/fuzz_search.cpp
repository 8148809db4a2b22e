// Any text as what a person types into the search of the timeline and of the table. The language is part of
// the window (QString, QRegularExpression, words as the window says them), so this target links it.
#include "made.h"

#include <olab/view/view_data.h>
#include <timeline/search/search.h>

#include <algorithm>

using namespace olab;
using fuzz::require;

namespace {

const view::ViewData& shown() {
    static const view::ViewData made(fuzz::simulated());
    return made;
}

void judge(const QString& text) {
    const ui::SearchQuery query = ui::SearchQuery::parse(text);
    ui::Search search(shown(), query);
    while (search.advance(50)) {
    }
    require(query.error.isEmpty() || search.matches().empty());
    require(std::ranges::is_sorted(search.matches()));
    for (const ActivityIndex index : search.matches()) {
        const Ns length = shown().trace().time(index).length();
        require(length >= query.atLeast && length <= query.atMost);
    }
    require(!query.error.isEmpty() || query.said.isEmpty() || !search.matches().empty() ||
            !search.whyNothing().isEmpty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    judge(QString::fromUtf8(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)));
    return 0;
}
