#include "results/wrapped_line.h"

#include <QResizeEvent>

namespace olab {

namespace {

constexpr qsizetype kLongest = 600; // letters: the lanes need the room
constexpr int kSide = 8;            // as the style sheet pads it

} // namespace

WrappedLine::WrappedLine(const QString& name, int padding, QWidget* parent)
    : PlainLabel(parent)
    , m_padding(padding) {
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
    const QRect room(0, 0, width() - 2 * kSide, QWIDGETSIZE_MAX);
    const int lines = fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height();
    setFixedHeight(lines + m_padding);
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

} // namespace olab
