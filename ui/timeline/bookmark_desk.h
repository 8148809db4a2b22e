// The bookmarks of every recording of this session as the person has them now: those of its file, and what
// was changed since. A recording itself never changes; saving writes these. GUI thread.
#pragma once

#include <olab/ui/shown.h>

#include <QObject>

#include <map>
#include <optional>

namespace olab {

/// "GPU 0 compute", "thread 4711": the same in every recording that has such a lane.
std::string rowNameOf(const Shown& shown, LaneId lane);
const Lane* laneCalled(const Shown& shown, std::string_view row); ///< null: this recording has none
QString titleText(const Bookmark& bookmark);                      ///< as it is; may be empty

class BookmarkDesk final : public QObject {
    Q_OBJECT
public:
    explicit BookmarkDesk(QObject* parent = nullptr);

    void setShown(const ShownPtr& shown);
    const ShownPtr& shown() const { return m_shown; }
    /// Of the recording that is shown, sorted by begin.
    const std::vector<Bookmark>& list() const;
    const std::vector<Bookmark>& of(const ShownPtr& shown) const;

    /// What keys work on: a place in list().
    std::optional<std::size_t> inUse() const { return m_inUse; }
    void use(std::optional<std::size_t> place);

    /// @returns its place, in use from now on; nothing when there are as many as a recording may have
    std::optional<std::size_t> add(Bookmark bookmark);
    void setNote(std::size_t place, const QString& note);
    void remove(std::size_t place);
    /// As if it had never been set: undo does not bring it back.
    void takeBack(std::size_t place);
    bool canUndo() const;
    void undo(); ///< the last remove() of the recording that is shown

    /// More is known of the same run: its bookmarks stay.
    void replace(const ShownPtr& before, const ShownPtr& after);

    /// Not all of it is in a file.
    bool isChanged(const ShownPtr& shown) const;
    void saveBegins(const ShownPtr& shown);
    void saved(const ShownPtr& shown);
    void forget(const RunPtr& run); ///< it is not in the window any more

signals:
    void listChanged();
    void inUseChanged();
    /// isChanged() has another answer.
    void changedChanged(const olab::ShownPtr& shown);

private:
    struct Book {
        std::vector<Bookmark> list, inFile, beingSaved, removed;
    };
    Book& book(const ShownPtr& shown);
    const Book* find(const ShownPtr& shown) const;
    std::size_t insert(Book& book, Bookmark bookmark);
    template <typename Edit>
    void edit(Edit change);
    ShownPtr m_shown;
    std::map<RunPtr, Book> m_books; ///< of those that were shown, wherever their recordings are now
    std::optional<std::size_t> m_inUse;
};

} // namespace olab
