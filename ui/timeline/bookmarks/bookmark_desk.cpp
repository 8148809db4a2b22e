#include "timeline/bookmarks/bookmark_desk.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>

#include <algorithm>

namespace olab::ui {

std::string rowNameOf(const view::ViewData& shown, LaneId id) {
    const auto lanes = shown.index.lanes().lanes();
    if (id.value >= lanes.size())
        return {};
    const Lane& lane = lanes[id.value];
    const auto devices = shown.trace().devices();
    if (!isOfDevice(lane.kind) || lane.device >= devices.size())
        return lane.label;
    return "GPU " + std::to_string(devices[lane.device].device) + " " + lane.label;
}

const Lane* laneCalled(const view::ViewData& shown, std::string_view row) {
    for (const Lane& lane : shown.index.lanes().lanes())
        if (rowNameOf(shown, lane.id) == row)
            return &lane;
    return nullptr;
}

QString titleText(const io::Bookmark& bookmark) {
    return fromText(io::titleOf(bookmark));
}

BookmarkDesk::BookmarkDesk(QObject* parent)
    : QObject(parent) {}

BookmarkDesk::Book& BookmarkDesk::book(const view::ViewDataPtr& shown) {
    const auto [at, isNew] = m_books.try_emplace(shown->run);
    if (isNew)
        at->second.list = at->second.inFile = shown->recording->bookmarks;
    return at->second;
}

const BookmarkDesk::Book* BookmarkDesk::find(const view::ViewDataPtr& shown) const {
    const auto at = shown ? m_books.find(shown->run) : m_books.end();
    return at == m_books.end() ? nullptr : &at->second;
}

void BookmarkDesk::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_inUse.reset();
    emit listChanged();
    emit inUseChanged();
}

const std::vector<io::Bookmark>& BookmarkDesk::of(const view::ViewDataPtr& shown) const {
    static const std::vector<io::Bookmark> kNone;
    const Book* known = find(shown);
    return known ? known->list : shown ? shown->recording->bookmarks : kNone;
}

void BookmarkDesk::use(std::optional<std::size_t> place) {
    if (place && *place >= list().size())
        place.reset();
    if (place == m_inUse)
        return;
    m_inUse = place;
    emit inUseChanged();
}

/// `change` works on the book of the recording shown and returns what is in use after it.
template <typename Edit>
void BookmarkDesk::edit(Edit change) {
    if (!m_shown)
        return;
    const bool before = isChanged(m_shown);
    m_inUse = change(book(m_shown));
    emit listChanged();
    emit inUseChanged();
    if (isChanged(m_shown) != before)
        emit changedChanged(m_shown);
}

std::size_t BookmarkDesk::insert(Book& book, io::Bookmark bookmark) {
    const auto at = std::ranges::upper_bound(book.list, bookmark.time.begin, {},
                                             [](const io::Bookmark& b) { return b.time.begin; });
    const auto place = at - book.list.begin();
    book.list.insert(at, std::move(bookmark));
    return static_cast<std::size_t>(place);
}

std::optional<std::size_t> BookmarkDesk::add(io::Bookmark bookmark) {
    if (!m_shown || list().size() >= io::kMaxBookmarks)
        return std::nullopt;
    edit([&](Book& book) { return std::optional(insert(book, std::move(bookmark))); });
    return m_inUse;
}

void BookmarkDesk::setNote(std::size_t place, const QString& note) {
    std::string text = io::cutNote(note.toStdString());
    if (place >= list().size() || list()[place].note == text)
        return;
    edit([&](Book& book) {
        book.list[place].note = std::move(text);
        return std::optional(place);
    });
}

void BookmarkDesk::remove(std::size_t place) {
    if (place >= list().size())
        return;
    edit([&](Book& book) {
        book.removed.push_back(std::move(book.list[place]));
        book.list.erase(book.list.begin() + static_cast<std::ptrdiff_t>(place));
        return std::optional<std::size_t>();
    });
}

void BookmarkDesk::takeBack(std::size_t place) {
    if (place >= list().size())
        return;
    edit([&](Book& book) {
        book.list.erase(book.list.begin() + static_cast<std::ptrdiff_t>(place));
        return std::optional<std::size_t>();
    });
}

bool BookmarkDesk::canUndo() const {
    const Book* known = find(m_shown);
    return known && !known->removed.empty();
}

void BookmarkDesk::undo() {
    if (!canUndo() || list().size() >= io::kMaxBookmarks)
        return;
    edit([&](Book& book) {
        io::Bookmark back = std::move(book.removed.back());
        book.removed.pop_back();
        return std::optional(insert(book, std::move(back)));
    });
}

void BookmarkDesk::replace(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    if (m_shown == before)
        m_shown = after;
}

bool BookmarkDesk::isChanged(const view::ViewDataPtr& shown) const {
    const Book* known = find(shown);
    return known && known->list != known->inFile;
}

void BookmarkDesk::forget(const view::RunPtr& run) {
    if (!m_shown || m_shown->run != run)
        m_books.erase(run);
}

void BookmarkDesk::saveBegins(const view::ViewDataPtr& shown) {
    Book& saving = book(shown);
    saving.beingSaved = saving.list; // what is changed while it is written is not in the file
}

void BookmarkDesk::saved(const view::ViewDataPtr& shown) {
    const bool before = isChanged(shown);
    Book& now = book(shown);
    now.inFile = now.beingSaved;
    if (isChanged(shown) != before)
        emit changedChanged(shown);
}

} // namespace olab::ui
