// Keys of the canvas, and who hears of what.
#include "timeline/input/canvas_input.h"

#include "base/plain_text.h"
#include "timeline/canvas/canvas_overlay.h"
#include "timeline/canvas/canvas_steps.h"
#include "timeline/rows/timeline_rows.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/lanes.h>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cstdlib>

namespace olab::ui {

namespace {

constexpr double kKeyZoom = 0.7;

} // namespace

CanvasInput::CanvasInput(TimelineCanvas& canvas)
    : QObject(&canvas)
    , m_canvas(canvas)
    , m_map(canvas)
    , m_menu(canvas) {
    canvas.installEventFilter(this);
}

bool CanvasInput::eventFilter(QObject* watched, QEvent* event) {
    if (!qobject_cast<TimelineCanvas*>(watched)) // it is on its way out
        return false;
    switch (event->type()) {
    case QEvent::MouseMove:
        return move(static_cast<const QMouseEvent&>(*event)), true;
    case QEvent::MouseButtonPress:
        return press(static_cast<const QMouseEvent&>(*event)), true;
    case QEvent::MouseButtonRelease:
        return release(static_cast<const QMouseEvent&>(*event)), true;
    case QEvent::MouseButtonDblClick:
        return doubleClick(static_cast<const QMouseEvent&>(*event).position().toPoint()), true;
    case QEvent::Wheel:
        return wheel(static_cast<QWheelEvent&>(*event)), true;
    case QEvent::Leave:
        m_canvas.overlay().setHover(std::nullopt);
        return false;
    case QEvent::ContextMenu:
        return m_menu.open(static_cast<const QContextMenuEvent&>(*event)), true;
    case QEvent::KeyPress:
        return key(static_cast<const QKeyEvent&>(*event));
    default:
        return QObject::eventFilter(watched, event);
    }
}

/// Whether it does anything here.
bool CanvasInput::key(const QKeyEvent& event) {
    if (event.key() == Qt::Key_Question)
        return emit m_canvas.helpRequested(), true;
    if (event.key() == Qt::Key_Slash || event.matches(QKeySequence::Find))
        return emit m_canvas.searchRequested(), true;
    if (event.key() == Qt::Key_N)
        return emit m_canvas.searchStepRequested(event.modifiers() & Qt::ShiftModifier ? -1 : +1), true;
    return ghostKey(event) || rowKey(event) || pickKey(event) || viewKey(event);
}

bool CanvasInput::ghostKey(const QKeyEvent& event) {
    const auto keys = event.modifiers() & ~Qt::KeypadModifier;
    if (event.key() != Qt::Key_G || (keys != Qt::NoModifier && keys != Qt::ShiftModifier))
        return false;
    Ghosts& ghosts = m_canvas.ghosts();
    keys == Qt::ShiftModifier ? ghosts.setShowsIdeal(!ghosts.showsIdeal())
                              : ghosts.setShowsWaits(!ghosts.showsWaits());
    return true;
}

/// Between what is selected, or what is seen, and nothing.
void CanvasInput::toggleMeasuring() {
    if (!m_canvas.shown() || selection().range())
        return m_canvas.measure(std::nullopt);
    m_canvas.measure(selection().activity() ? m_canvas.shown()->trace().time(*selection().activity())
                     : selection().gap()    ? selection().gap()->time
                                            : m_canvas.viewport().visible());
}

/// To the next edge of the row in use, or of any engine.
void CanvasInput::moveRuler(bool first, int direction) {
    if (!selection().range())
        return toggleMeasuring();
    const Ns from = first ? selection().range()->begin : selection().range()->end;
    std::optional<Ns> best;
    for (const view::Strip& strip : m_canvas.rows().drawn().strips(m_canvas.rows().laneInUse()))
        if (const auto edge = view::nextEdge(strip, from, direction))
            if (!best || std::abs(*edge - from) < std::abs(*best - from))
                best = edge;
    if (!best || (first ? *best >= selection().range()->end : *best <= selection().range()->begin))
        return;
    m_canvas.measure(first ? Interval{*best, selection().range()->end}
                           : Interval{selection().range()->begin, *best});
}

bool CanvasInput::viewKey(const QKeyEvent& event) {
    const QPoint pointer = m_canvas.mapFromGlobal(QCursor::pos());
    const bool inside = m_canvas.rect().contains(pointer) && pointer.x() > m_canvas.gutter();
    const int middle = inside ? pointer.x() : m_canvas.gutter() + (m_canvas.width() - m_canvas.gutter()) / 2;
    const int stride = std::max((m_canvas.width() - m_canvas.gutter()) / 8, 1);
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m_canvas.zoomAt(middle, kKeyZoom), true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        return m_canvas.zoomAt(middle, 1 / kKeyZoom), true;
    case Qt::Key_A:
    case Qt::Key_Left:
        return m_canvas.panBy(-stride), true;
    case Qt::Key_D:
    case Qt::Key_Right:
        return m_canvas.panBy(stride), true;
    case Qt::Key_Up:
        return m_canvas.rows().setScroll(m_canvas.rows().scroll() - 40), true;
    case Qt::Key_Down:
        return m_canvas.rows().setScroll(m_canvas.rows().scroll() + 40), true;
    case Qt::Key_Home:
        return m_canvas.fit(), true;
    default:
        return false;
    }
}

void CanvasInput::copyPicked(bool table) {
    const QString text = m_canvas.shown() ? pickedText(*m_canvas.shown(), selection(), table) : QString();
    if (text.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(text);
    showTip(m_canvas.mapToGlobal(QPoint(m_canvas.gutter(), 0)),
            table ? tr("Copied as a table") : tr("Copied as text"), &m_canvas);
}

/// The place as a page of the same recording opens it, to be put behind its address.
void CanvasInput::copyLink() {
    if (!m_canvas.shown())
        return;
    QGuiApplication::clipboard()->setText(
        placeLink(*m_canvas.shown(), selection(), m_canvas.viewport().visible()));
    showTip(m_canvas.mapToGlobal(QPoint(m_canvas.gutter(), 0)),
            tr("Copied: put it behind the address of an HTML page of this recording"), &m_canvas);
}

/// The last change of rows; without any, the last change of the view.
void CanvasInput::undo() {
    if (!m_canvas.shown())
        return;
    if (!m_canvas.rows().undo())
        emit m_canvas.formerViewRequested();
}

/// Esc: ends measuring, else the emphasis of causes. Whether there was one.
bool CanvasInput::leave() {
    if (selection().range())
        return m_canvas.measure(std::nullopt), true;
    if (m_canvas.ghosts().only().empty())
        return false;
    return m_canvas.emphasise({}), true;
}

/// Keys that select and measure.
bool CanvasInput::pickKey(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Copy))
        return copyPicked(false), true;
    if (event.matches(QKeySequence::Undo))
        return undo(), true;
    const bool first = event.modifiers() & Qt::ControlModifier;
    if ((event.modifiers() & Qt::ShiftModifier) &&
        (event.key() == Qt::Key_Left || event.key() == Qt::Key_Right))
        return moveRuler(first, event.key() == Qt::Key_Left ? -1 : 1), true;
    switch (event.key()) {
    case Qt::Key_F:
        return fitSelection(m_canvas), true;
    case Qt::Key_Period:
        return stepActivity(m_canvas, +1), true;
    case Qt::Key_Comma:
        return stepActivity(m_canvas, -1), true;
    case Qt::Key_BracketRight:
        return stepGap(m_canvas, +1), true;
    case Qt::Key_BracketLeft:
        return stepGap(m_canvas, -1), true;
    case Qt::Key_J:
        return followLink(m_canvas, -1), true;
    case Qt::Key_K:
        return followLink(m_canvas, +1), true;
    case Qt::Key_L: // alone it is the window's
        return (event.modifiers() & Qt::ShiftModifier) && (m_canvas.overlay().toggleArrows(), true);
    case Qt::Key_M:
        return toggleMeasuring(), true;
    case Qt::Key_T:
        return copyPicked(true), true;
    case Qt::Key_Y:
        return event.modifiers() == Qt::NoModifier && (copyLink(), true);
    case Qt::Key_Escape:
        return leave();
    default:
        return false;
    }
}

/// Keys that choose rows.
bool CanvasInput::rowKey(const QKeyEvent& event) {
    if (!m_canvas.shown())
        return false;
    const Row* row = m_canvas.rows().layout().of(m_canvas.rows().inUse());
    const bool all = event.modifiers() & Qt::ShiftModifier, step = event.modifiers() & Qt::ControlModifier;
    if (row && rowShapeKey(event, *row))
        return true;
    switch (event.key()) {
    case Qt::Key_Up:
        return step && (m_canvas.rows().step(-1), true);
    case Qt::Key_Down:
        return step && (m_canvas.rows().step(+1), true);
    case Qt::Key_P:
        return row && (m_canvas.rows().pin(m_canvas.rows().inUse()), true);
    case Qt::Key_H:
        return all ? (m_canvas.rows().showAll(), true)
                   : row && (m_canvas.rows().hide(m_canvas.rows().inUse()), true);
    case Qt::Key_C:
        return !step && row && (m_canvas.rows().toggleGroup(QString(row->group)), true);
    case Qt::Key_O:
        return !step && row && (m_canvas.rows().open(m_canvas.rows().inUse()), true);
    case Qt::Key_R:
        return all && (m_canvas.rows().reset(), true);
    default:
        return false;
    }
}

/// Keys that move the row in use and make it taller.
bool CanvasInput::rowShapeKey(const QKeyEvent& event, const Row& row) {
    const auto keys = event.modifiers() & ~Qt::KeypadModifier;
    const int direction = event.key() == Qt::Key_Up ? -1 : event.key() == Qt::Key_Down ? 1 : 0;
    const LaneId lane = row.lane->id;
    if (direction != 0 && keys == (Qt::ControlModifier | Qt::ShiftModifier))
        return m_canvas.rows().move(lane, direction), true;
    if (direction != 0 && keys == Qt::AltModifier)
        return m_canvas.rows().resize(lane, -direction), true;
    if (event.key() == Qt::Key_0 && keys == Qt::NoModifier)
        return m_canvas.rows().resize(lane, 0), true;
    return false;
}

} // namespace olab::ui
