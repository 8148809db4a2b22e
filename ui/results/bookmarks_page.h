// The bookmarks of the recording as a list: where, how long, which row, the note.
#pragma once

#include "timeline/bookmarks/bookmark_tools.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace olab::ui {

class BookmarksPage final : public QWidget {
    Q_OBJECT
public:
    BookmarksPage(BookmarkDesk& desk, BookmarkTools& tools, QWidget* parent = nullptr);

private:
    QTreeWidget* buildList();
    QLayout* buildFoot();
    void fill();
    void followInUse();
    void copy();
    BookmarkDesk& m_desk;
    BookmarkTools& m_tools;
    QTreeWidget* m_list;
    QLabel* m_hint;
    QPushButton* m_copy = nullptr;
};

} // namespace olab::ui
