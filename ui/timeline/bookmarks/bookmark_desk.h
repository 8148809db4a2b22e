// The bookmarks of every recording of this session as the person has them now: those of its file, and what
// was changed since. A recording itself never changes; saving writes these. GUI thread.
#pragma once

#include <olab/view/view_data.h>

#include <QObject>

#include <map>
#include <optional>

namespace olab::ui {

/// "GPU 0 compute", "thread 4711": the same in every recording that has such a lane.
std::string rowNameOf(const view::ViewData& shown, LaneId lane);
const Lane* laneCalled(const view::ViewData& shown, std::string_view row); ///< null: this recording has none
QString titleText(const io::Bookmark& bookmark);                           ///< as it is; may be empty

class BookmarkDesk final : public QObject {
    Q_OBJECT
public:
    explicit BookmarkDesk(QObject* parent = nullptr);

    void setShown(const view::ViewDataPtr& shown);
    const view::ViewDataPtr& shown() const { return m_shown; }
    /// Of the recording that is shown, sorted by begin.
    const std::vector<io::Bookmark>& list() const { return of(m_shown); }
    const std::vector<io::Bookmark>& of(const view::ViewDataPtr& shown) const;

    /// What keys work on: a place in list().
    std::optional<std::size_t> inUse() const { return m_inUse; }
    void use(std::optional<std::size_t> place);

    /// @returns its place, in use from now on; nothing when there are as many as a recording may have
    std::optional<std::size_t> add(io::Bookmark bookmark);
    void setNote(std::size_t place, const QString& note);
    void remove(std::size_t place);
    /// As if it had never been set: undo does not bring it back.
    void takeBack(std::size_t place);
    bool canUndo() const;
    void undo(); ///< the last remove() of the recording that is shown

    /// More is known of the same run: its bookmarks stay.
    void replace(const view::ViewDataPtr& before, const view::ViewDataPtr& after);

    /// Not all of it is in a file.
    bool isChanged(const view::ViewDataPtr& shown) const;
    void saveBegins(const view::ViewDataPtr& shown);
    void saved(const view::ViewDataPtr& shown);
    void forget(const view::RunPtr& run); ///< it is not in the window any more

signals:
    void listChanged();
    void inUseChanged();
    /// isChanged() has another answer.
    void changedChanged(const olab::view::ViewDataPtr& shown);

private:
    struct Book {
        std::vector<io::Bookmark> list, inFile, beingSaved, removed;
    };
    Book& book(const view::ViewDataPtr& shown);
    const Book* find(const view::ViewDataPtr& shown) const;
    std::size_t insert(Book& book, io::Bookmark bookmark);
    template <typename Edit>
    void edit(Edit change);
    view::ViewDataPtr m_shown;
    std::map<view::RunPtr, Book> m_books; ///< of those that were shown, wherever their recordings are now
    std::optional<std::size_t> m_inUse;
};

} // namespace olab::ui
