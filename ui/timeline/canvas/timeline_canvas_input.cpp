// Mouse and keys of the canvas.
#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>

#include "base/plain_text.h"
#include "timeline/asking/hover_card.h"
#include "timeline/asking/range_text.h"
#include "timeline/asking/wait_text.h"
#include "timeline/rows/timeline_rows.h"
#include "timeline/rows/value_text.h"

#include <olab/ui/format.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace olab {

namespace {

constexpr int kSnapPx = 7, kGripPx = 4; // how far an edge pulls a ruler; how near one takes hold of a ruler
constexpr double kWheelZoom = 0.85, kKeyZoom = 0.7;

} // namespace

QString TimelineCanvas::textAt(QPoint point) const {
    const Row* row = m_shown ? m_rows->at(point.y()) : nullptr;
    if (!row)
        return {};
    if (point.x() < gutter())
        return row->help();
    const Interval column = m_view.column(toColumn(point.x()));
    if (row->kind == Row::Kind::Ribbon && row->device < m_shown->index.deviceCount())
        return tr("Engines at work here, of %1:\n%2")
            .arg(durationText(column.length()),
                 atOnceText(numbersOf(m_shown->index, row->device, column), column.length()));
    if (row->lane && showsValue(row->lane->kind))
        return valueText(*row, column);
    if (const auto wait = waitAt(point))
        return waitText(*m_shown, *wait);
    if (const auto gap = row->lane ? gapAt(*m_shown, row->lane->id, column.begin) : std::nullopt)
        return tr("idle for %1").arg(durationText(gap->time.length()));
    return {};
}

void TimelineCanvas::updateHover(QPoint point) {
    const auto next = activityAt(point);
    if (next != m_hover) {
        m_hover = next;
        update();
    }
    if (rulerNear(point))
        setCursor(Qt::SplitHCursor);
    else if ((point.x() < gutter() && m_rows->edgeAt(point.y())))
        setCursor(Qt::SplitVCursor);
    else
        unsetCursor();
    const QPoint beside = mapToGlobal(point + QPoint(12, 16));
    m_hover ? showTip(beside, hoverText(*m_shown, *m_hover), this) : showTip(beside, textAt(point), this);
}

/// The time at the pointer, or the edge it is pulled to: of the lane below it, else of any lane in view.
Ns TimelineCanvas::snapped(QPoint point, bool snaps) const {
    const Ns t = m_view.timeAt(std::clamp(toColumn(point.x()), 0, m_view.width()));
    if (!snaps)
        return t;
    const Ns reach = m_view.lengthOf(device(kSnapPx));
    if (const Strip* strip = stripAt(point))
        if (const auto edge = nearestEdge(*strip, t, reach))
            return *edge;
    std::optional<Ns> best;
    for (const Row* row : m_rows->inView())
        if (row->lane)
            for (const Strip& strip : m_rows->drawn().strips(row->lane->id))
                if (const auto edge = nearestEdge(strip, t, reach))
                    if (!best || std::abs(*edge - t) < std::abs(*best - t))
                        best = edge;
    return best.value_or(t);
}

std::optional<Ns> TimelineCanvas::rulerNear(QPoint point) const {
    if (!m_selection.range() || point.x() < gutter())
        return std::nullopt;
    const int first = std::abs(point.x() - xOf(m_selection.range()->begin)),
              second = std::abs(point.x() - xOf(m_selection.range()->end));
    if (std::min(first, second) > kGripPx)
        return std::nullopt;
    return first < second ? m_selection.range()->begin : m_selection.range()->end;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (!(event->buttons() & Qt::LeftButton))
        return updateHover(point);
    if (m_drag == Drag::Ruler) {
        const Ns t = snapped(point, !(event->modifiers() & Qt::AltModifier));
        return measure(Interval{std::min(m_anchor, t), std::max(m_anchor, t)});
    }
    if (m_drag == Drag::None && (point - m_pressed).manhattanLength() < 4)
        return;
    if (m_drag == Drag::Row || (m_drag == Drag::None && m_pressed.x() < gutter() && m_rows->holds()))
        return dragRow(point);
    m_drag = Drag::View;
    setCursor(Qt::ClosedHandCursor);
    m_view.panBy(toColumn(m_last.x()) - toColumn(point.x())); // rounds the places, not each step
    viewMoved();
    m_rows->setScroll(m_rows->scroll() + m_last.y() - point.y());
    m_last = point;
}

/// A row or a group in the hand, or the lower edge of a row.
void TimelineCanvas::dragRow(QPoint point) {
    m_drag = Drag::Row;
    if (!m_rows->isSizing())
        setCursor(Qt::ClosedHandCursor);
    m_rows->drag(point.y());
    update();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position().toPoint();
    m_drag = Drag::None;
    QToolTip::hideText();
    if (!m_shown || event->button() != Qt::LeftButton)
        return;
    if (m_pressed.x() < gutter())
        return m_rows->take(m_pressed.y());
    if (const auto held = rulerNear(m_pressed)) {
        m_anchor =
            *held == m_selection.range()->begin ? m_selection.range()->end : m_selection.range()->begin;
        m_drag = Drag::Ruler;
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_anchor = snapped(m_pressed, !(event->modifiers() & Qt::AltModifier));
        m_drag = Drag::Ruler;
        measure(std::nullopt);
    }
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    const Drag was = std::exchange(m_drag, Drag::None);
    m_rows->letGo();
    if (was == Drag::Ruler && m_selection.range() && m_selection.range()->length() == 0)
        measure(std::nullopt); // both rulers at one place measure nothing
    if (was == Drag::None && event->button() == Qt::LeftButton && m_shown)
        click(event->position().toPoint());
}

void TimelineCanvas::click(QPoint point) {
    const Row* row = m_rows->at(point.y());
    if (row && row->kind == Row::Kind::Group)
        return row->name.isEmpty() ? void() : m_rows->toggleGroup(row->name);
    if (row && row->canOpen && point.x() < m_style.nameIndent(false))
        return m_rows->open(row->lane->id);
    const auto waits = waitAt(point);
    const auto hit = waits && !activityAt(point) ? waits->op : activityAt(point);
    if (row && row->lane)
        m_rows->use(row->lane->id);
    const auto gap = !hit && row && row->lane && point.x() >= gutter()
                         ? gapAt(*m_shown, row->lane->id, m_view.timeAt(toColumn(point.x())))
                         : std::nullopt;
    gap ? selectGap(gap) : select(hit);
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (const auto hit = activityAt(point))
        zoomTo(*hit);
    else if (m_selection.gap() && point.x() >= gutter())
        fitSelection();
}

void TimelineCanvas::leaveEvent(QEvent*) {
    m_hover.reset();
    update();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier)
        zoomAt(event->position().toPoint().x(), std::pow(kWheelZoom, delta.y() / 120.0));
    else if ((event->modifiers() & Qt::ShiftModifier) || delta.x() != 0)
        panBy(-(delta.x() != 0 ? delta.x() : delta.y()) / 2);
    else
        m_rows->setScroll(m_rows->scroll() - delta.y() / 3);
    event->accept();
}

/// Between what is selected, or what is seen, and nothing.
void TimelineCanvas::toggleMeasuring() {
    if (!m_shown || m_selection.range())
        return measure(std::nullopt);
    measure(m_selection.activity() ? m_shown->trace().time(*m_selection.activity())
            : m_selection.gap()    ? m_selection.gap()->time
                                   : m_view.visible());
}

/// To the next edge of the row in use, or of any engine.
void TimelineCanvas::moveRuler(bool first, int direction) {
    if (!m_selection.range())
        return toggleMeasuring();
    const Ns from = first ? m_selection.range()->begin : m_selection.range()->end;
    std::optional<Ns> best;
    for (const Strip& strip : m_rows->drawn().strips(m_rows->laneInUse()))
        if (const auto edge = nextEdge(strip, from, direction))
            if (!best || std::abs(*edge - from) < std::abs(*best - from))
                best = edge;
    if (!best || (first ? *best >= m_selection.range()->end : *best <= m_selection.range()->begin))
        return;
    measure(first ? Interval{*best, m_selection.range()->end} : Interval{m_selection.range()->begin, *best});
}

bool TimelineCanvas::viewKey(QKeyEvent* event) {
    const QPoint pointer = mapFromGlobal(QCursor::pos());
    const bool inside = rect().contains(pointer) && pointer.x() > gutter();
    const int middle = inside ? pointer.x() : gutter() + (width() - gutter()) / 2;
    const int stride = std::max((width() - gutter()) / 8, 1);
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(middle, kKeyZoom), true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoomAt(middle, 1 / kKeyZoom), true;
    case Qt::Key_A:
    case Qt::Key_Left:
        return panBy(-stride), true;
    case Qt::Key_D:
    case Qt::Key_Right:
        return panBy(stride), true;
    case Qt::Key_Up:
        return m_rows->setScroll(m_rows->scroll() - 40), true;
    case Qt::Key_Down:
        return m_rows->setScroll(m_rows->scroll() + 40), true;
    case Qt::Key_Home:
        return fit(), true;
    default:
        return false;
    }
}

void TimelineCanvas::copyPicked(bool table) {
    const QString text = m_shown ? pickedText(*m_shown, m_selection, table) : QString();
    if (text.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(text);
    showTip(mapToGlobal(QPoint(gutter(), 0)), table ? tr("Copied as a table") : tr("Copied as text"), this);
}

/// Keys that select and measure.
bool TimelineCanvas::pickKey(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        return copyPicked(false), true;
    const bool first = event->modifiers() & Qt::ControlModifier;
    if ((event->modifiers() & Qt::ShiftModifier) &&
        (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        return moveRuler(first, event->key() == Qt::Key_Left ? -1 : 1), true;
    switch (event->key()) {
    case Qt::Key_F:
        return fitSelection(), true;
    case Qt::Key_Period:
        return step(+1), true;
    case Qt::Key_Comma:
        return step(-1), true;
    case Qt::Key_BracketRight:
        return stepGap(+1), true;
    case Qt::Key_BracketLeft:
        return stepGap(-1), true;
    case Qt::Key_J:
        return follow(-1), true;
    case Qt::Key_K:
        return follow(+1), true;
    case Qt::Key_L:
        m_showsLinks = !m_showsLinks;
        return update(), true;
    case Qt::Key_M:
        return toggleMeasuring(), true;
    case Qt::Key_T:
        return copyPicked(true), true;
    case Qt::Key_Escape:
        return m_selection.range() ? (measure(std::nullopt), true) : false;
    default:
        return false;
    }
}

/// Keys that choose rows.
bool TimelineCanvas::rowKey(QKeyEvent* event) {
    if (!m_shown)
        return false;
    const Row* row = m_rows->layout().of(m_rows->inUse());
    const bool all = event->modifiers() & Qt::ShiftModifier, step = event->modifiers() & Qt::ControlModifier;
    if (row && rowShapeKey(event, *row))
        return true;
    switch (event->key()) {
    case Qt::Key_Up:
        return step && (m_rows->step(-1), true);
    case Qt::Key_Down:
        return step && (m_rows->step(+1), true);
    case Qt::Key_P:
        return row && (m_rows->pin(m_rows->inUse()), true);
    case Qt::Key_H:
        return all ? (m_rows->showAll(), true) : row && (m_rows->hide(m_rows->inUse()), true);
    case Qt::Key_C:
        return !step && row && (m_rows->toggleGroup(QString(row->group)), true);
    case Qt::Key_O:
        return !step && row && (m_rows->open(m_rows->inUse()), true);
    case Qt::Key_R:
        return all && (m_rows->reset(), true);
    default:
        return false;
    }
}

/// Keys that move the row in use and make it taller.
bool TimelineCanvas::rowShapeKey(QKeyEvent* event, const Row& row) {
    const auto keys = event->modifiers() & ~Qt::KeypadModifier;
    const int direction = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    const LaneId lane = row.lane->id;
    if (direction != 0 && keys == (Qt::ControlModifier | Qt::ShiftModifier))
        return m_rows->move(lane, direction), true;
    if (direction != 0 && keys == Qt::AltModifier)
        return m_rows->resize(lane, -direction), true;
    if (event->key() == Qt::Key_0 && keys == Qt::NoModifier)
        return m_rows->resize(lane, 0), true;
    return false;
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Question)
        emit helpRequested();
    else if (event->key() == Qt::Key_Slash || event->matches(QKeySequence::Find))
        emit searchRequested();
    else if (event->key() == Qt::Key_N)
        emit searchStepRequested(event->modifiers() & Qt::ShiftModifier ? -1 : +1);
    else if (!ghostKey(event) && !rowKey(event) && !pickKey(event) && !viewKey(event))
        QWidget::keyPressEvent(event);
}

} // namespace olab
