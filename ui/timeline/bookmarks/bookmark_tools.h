// What a person does with bookmarks in the timeline: sets one at what is picked, writes its note, goes from
// one to the next, removes and brings back. Keys work while the focus is in the timeline.
#pragma once

#include "timeline/bookmarks/bookmark_desk.h"

#include <olab/ui/timeline_canvas.h>

#include <QAction>
#include <QList>
#include <QPlainTextEdit>
#include <QPointer>

namespace olab::ui {

class BookmarkStrip;

/// The small field over the lanes that a bookmark's note is typed into. Enter keeps it, Shift+Enter begins a
/// new line, Esc leaves everything as it was; going elsewhere keeps it too: nothing typed is lost.
class NoteEditor final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit NoteEditor(QWidget* parent);
    /// With its upper left corner at `at` of the parent, or as near as it fits. What had the focus gets it
    /// back.
    void open(const QString& note, QPoint at);
    bool isOpen() const { return m_open; }
    /// As Enter does.
    void keep();

signals:
    void kept(const QString& note);
    void cancelled();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool shut();
    bool m_open = false;
    QPointer<QWidget> m_before;
};

class BookmarkTools final : public QObject {
    Q_OBJECT
public:
    /// `view` holds canvas and strip; the field for notes opens over it.
    BookmarkTools(TimelineCanvas& canvas, BookmarkDesk& desk, BookmarkStrip& strip, QWidget& view);

    /// At the measured range, the gap or the operation that is picked, else in the middle of the view. Where
    /// there is one already, its note is edited.
    void setHere();
    void goTo(std::size_t place);
    void clicked(std::size_t place); ///< its flag: the keys of the timeline work on it now
    /// After (+1) or before (-1) the one in use, else the middle of the view; round and round.
    void step(int direction);
    void editNote(); ///< of the one in use
    void remove();   ///< the one in use
    void undo();
    void finishEditing(); ///< keeps a note that is being written: another recording comes
    /// All of them, one to a line.
    QString text() const;
    /// For menus, and for other widgets whose keys shall do the same.
    const QList<QAction*>& actions() const { return m_actions; }

private:
    io::Bookmark here() const;
    void openEditor(bool isNew);
    void pick(const io::Bookmark& bookmark);
    void refresh();
    TimelineCanvas& m_canvas;
    BookmarkDesk& m_desk;
    BookmarkStrip& m_strip;
    QWidget& m_view;
    NoteEditor* m_editor;
    QList<QAction*> m_actions;
    std::size_t m_edited = 0;
    bool m_isNew = false; ///< the one whose note is being written: Esc takes it back
    bool m_going = false; ///< the selection changes because a bookmark is shown
};

} // namespace olab::ui
