#include "timeline/bookmarks/note_editor.h"

#include "base/plain_text.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLetters = 44, kLines = 3;

bool ends(const QKeyEvent& key) {
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    return key.key() == Qt::Key_Escape || (enter && !(key.modifiers() & Qt::ShiftModifier));
}

} // namespace

NoteEditor::NoteEditor(QWidget* parent)
    : QPlainTextEdit(parent) {
    setAccessibleName(tr("Note of the bookmark"));
    setTip(*this, tr("Enter keeps the note, Shift+Enter begins a new line, Esc leaves it as it was"));
    setPlaceholderText(tr("Note. Enter keeps it, Esc does not."));
    setTabChangesFocus(true);
    setFrameShape(QFrame::Box);
    hide();
}

void NoteEditor::open(const QString& note, QPoint at) {
    m_before = QApplication::focusWidget();
    setPlainText(note);
    selectAll();
    const QFontMetrics metrics = fontMetrics();
    resize(metrics.averageCharWidth() * kLetters, metrics.lineSpacing() * kLines + 14);
    const QSize room = parentWidget()->size() - size();
    move(std::clamp(at.x(), 0, std::max(room.width(), 0)), std::clamp(at.y(), 0, std::max(room.height(), 0)));
    m_open = true;
    show();
    raise();
    setFocus();
}

/// Only once, although hiding takes the focus away, too.
bool NoteEditor::shut() {
    if (!m_open)
        return false;
    m_open = false;
    const bool hadFocus = hasFocus();
    hide();
    if (hadFocus && m_before)
        m_before->setFocus();
    return true;
}

void NoteEditor::keep() {
    if (shut())
        emit kept(toPlainText().trimmed());
}

/// Enter and Esc are this field's, whatever else they do in the window.
bool NoteEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && ends(static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    if (!ends(*event))
        return QPlainTextEdit::keyPressEvent(event);
    if (event->key() != Qt::Key_Escape)
        return keep();
    if (shut())
        emit cancelled();
}

void NoteEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    const auto why = event->reason(); // a menu of its own, or another window: it stays
    if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason)
        keep();
}

} // namespace olab::ui
