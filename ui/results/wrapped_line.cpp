#include "results/wrapped_line.h"

#include <QResizeEvent>

namespace olab::ui {

namespace {

constexpr qsizetype kLongest = 600; // letters: the lanes need the room

} // namespace

WrappedLine::WrappedLine(const QString& name, const QMargins& padding, QWidget* parent)
    : PlainLabel(parent) {
    setContentsMargins(padding);
    setObjectName(name);
    setWordWrap(true);
    setMinimumWidth(1); // no long word of a file makes the window wider
    say({});
}

void WrappedLine::say(const QString& text) {
    setText(cutText(text, kLongest));
    fit();
    setVisible(!text.isEmpty() && !m_makesRoom);
    // What says nothing takes no focus.
    setTextInteractionFlags(text.isEmpty() ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
}

void WrappedLine::setMakesRoom(bool makesRoom) {
    m_makesRoom = makesRoom;
    setVisible(!text().isEmpty() && !m_makesRoom);
}

void WrappedLine::fit() {
    const QMargins padding = contentsMargins();
    const QRect room(0, 0, width() - padding.left() - padding.right(), QWIDGETSIZE_MAX);
    const int lines = fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height();
    setFixedHeight(lines + padding.top() + padding.bottom());
}

void WrappedLine::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fit();
}

void WrappedLine::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

} // namespace olab::ui
