// Mouse of the canvas.
#include "timeline/input/canvas_input.h"

#include "base/plain_text.h"
#include "timeline/canvas/canvas_overlay.h"
#include "timeline/canvas/canvas_steps.h"
#include "timeline/rows/row_names.h"
#include "timeline/rows/timeline_rows.h"
#include "timeline/texts/hover_card.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>

#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kSnapPx = 7, kGripPx = 4; // how far an edge pulls a ruler; how near one takes hold of a ruler
constexpr double kWheelZoom = 0.85;

} // namespace

QString CanvasInput::textAt(QPoint point) const {
    const Row* row = m_canvas.shown() ? m_canvas.rows().at(point.y()) : nullptr;
    if (!row)
        return {};
    if (point.x() < m_canvas.gutter())
        return row->help();
    const Interval column = m_canvas.viewport().column(m_map.columnAt(point.x()));
    if (row->kind == Row::Kind::Ribbon && row->device < m_canvas.shown()->index.deviceCount())
        return tr("Engines at work here, of %1:\n%2")
            .arg(durationText(column.length()),
                 atOnceText(view::numbersOf(m_canvas.shown()->index, row->device, column), column.length()));
    if (row->lane && showsValue(row->lane->kind))
        return valueText(*row, column);
    if (const QString event = m_canvas.overlay().eventText(point); !event.isEmpty())
        return event;
    if (const auto wait = m_map.waitAt(point))
        return waitText(*m_canvas.shown(), *wait);
    if (const auto gap =
            row->lane ? view::gapAt(*m_canvas.shown(), row->lane->id, column.begin) : std::nullopt)
        return tr("idle for %1").arg(durationText(gap->time.length()));
    return {};
}

void CanvasInput::hover(QPoint point) {
    const auto under = m_map.activityAt(point);
    m_canvas.overlay().setHover(under);
    if (isAtNames(point) || rulerNear(point))
        m_canvas.setCursor(Qt::SplitHCursor);
    else if ((point.x() < m_canvas.gutter() && m_canvas.rows().edgeAt(point.y())))
        m_canvas.setCursor(Qt::SplitVCursor);
    else
        m_canvas.unsetCursor();
    const QPoint beside = m_canvas.mapToGlobal(point + QPoint(12, 16));
    const bool isBar = under && m_canvas.overlay().eventText(point).isEmpty();
    isBar ? showTip(beside, hoverText(*m_canvas.shown(), *under), &m_canvas)
          : showTip(beside, textAt(point), &m_canvas);
}

/// The time at the pointer, or the edge it is pulled to: of the lane below it, else of any lane in view.
Ns CanvasInput::snapped(QPoint point, bool snaps) const {
    const Ns t =
        m_canvas.viewport().timeAt(std::clamp(m_map.columnAt(point.x()), 0, m_canvas.viewport().width()));
    if (!snaps)
        return t;
    const Ns reach = m_canvas.viewport().lengthOf(m_map.device(kSnapPx));
    if (const view::Strip* strip = m_map.stripAt(point))
        if (const auto edge = view::nearestEdge(*strip, t, reach))
            return *edge;
    std::optional<Ns> best;
    for (const Row* row : m_canvas.rows().inView())
        if (row->lane)
            for (const view::Strip& strip : m_canvas.rows().drawn().strips(row->lane->id))
                if (const auto edge = view::nearestEdge(strip, t, reach))
                    if (!best || std::abs(*edge - t) < std::abs(*best - t))
                        best = edge;
    return best.value_or(t);
}

std::optional<Ns> CanvasInput::rulerNear(QPoint point) const {
    if (!selection().range() || point.x() < m_canvas.gutter())
        return std::nullopt;
    const int first = std::abs(point.x() - m_map.xOf(selection().range()->begin)),
              second = std::abs(point.x() - m_map.xOf(selection().range()->end));
    if (std::min(first, second) > kGripPx)
        return std::nullopt;
    return first < second ? selection().range()->begin : selection().range()->end;
}

bool CanvasInput::isAtNames(QPoint point) const {
    return m_canvas.shown() && std::abs(point.x() - m_canvas.gutter()) < kGripPx / 2;
}

void CanvasInput::move(const QMouseEvent& event) {
    const QPoint point = event.position().toPoint();
    if (!(event.buttons() & Qt::LeftButton))
        return hover(point);
    if (m_drag == Drag::Names)
        return m_canvas.setNamesWidth(point.x() * ViewStyle::kUsualType / m_canvas.viewStyle().type);
    if (m_drag == Drag::Ruler) {
        const Ns t = snapped(point, !(event.modifiers() & Qt::AltModifier));
        return m_canvas.measure(Interval{std::min(m_anchor, t), std::max(m_anchor, t)});
    }
    if (m_drag == Drag::None && (point - m_pressed).manhattanLength() < 4)
        return;
    if (m_drag == Drag::Row ||
        (m_drag == Drag::None && m_pressed.x() < m_canvas.gutter() && m_canvas.rows().holds()))
        return dragRow(point);
    m_drag = Drag::View;
    m_canvas.setCursor(Qt::ClosedHandCursor);
    // Rounds the places, not each step.
    m_canvas.panByColumns(m_map.columnAt(m_last.x()) - m_map.columnAt(point.x()));
    m_canvas.rows().setScroll(m_canvas.rows().scroll() + m_last.y() - point.y());
    m_last = point;
}

/// A row or a group in the hand, or the lower edge of a row.
void CanvasInput::dragRow(QPoint point) {
    m_drag = Drag::Row;
    if (!m_canvas.rows().isSizing())
        m_canvas.setCursor(Qt::ClosedHandCursor);
    m_canvas.rows().drag(point.y());
    m_canvas.update();
}

void CanvasInput::press(const QMouseEvent& event) {
    m_pressed = m_last = event.position().toPoint();
    m_drag = Drag::None;
    QToolTip::hideText();
    if (!m_canvas.shown() || event.button() != Qt::LeftButton)
        return;
    if (isAtNames(m_pressed)) {
        m_drag = Drag::Names;
        return;
    }
    if (m_pressed.x() < m_canvas.gutter())
        return m_canvas.rows().take(m_pressed.y());
    if (const auto held = rulerNear(m_pressed)) {
        m_anchor =
            *held == selection().range()->begin ? selection().range()->end : selection().range()->begin;
        m_drag = Drag::Ruler;
    } else if (event.modifiers() & Qt::ShiftModifier) {
        m_anchor = snapped(m_pressed, !(event.modifiers() & Qt::AltModifier));
        m_drag = Drag::Ruler;
        m_canvas.measure(std::nullopt);
    }
}

void CanvasInput::release(const QMouseEvent& event) {
    m_canvas.unsetCursor();
    const Drag was = std::exchange(m_drag, Drag::None);
    m_canvas.rows().letGo();
    if (was == Drag::Ruler && selection().range() && selection().range()->length() == 0)
        m_canvas.measure(std::nullopt); // both rulers at one place measure nothing
    if (was == Drag::None && event.button() == Qt::LeftButton && m_canvas.shown())
        click(event.position().toPoint());
}

void CanvasInput::click(QPoint point) {
    const Row* row = m_canvas.rows().at(point.y());
    if (row && row->kind == Row::Kind::Group)
        return row->name.isEmpty() ? void() : m_canvas.rows().toggleGroup(row->name);
    if (row && row->canOpen && point.x() < m_canvas.viewStyle().nameIndent(false))
        return m_canvas.rows().open(row->lane->id);
    const auto waits = m_map.waitAt(point);
    const auto hit = waits && !m_map.activityAt(point) ? waits->op : m_map.activityAt(point);
    if (row && row->lane)
        m_canvas.rows().use(row->lane->id);
    const auto gap = !hit && row && row->lane && point.x() >= m_canvas.gutter()
                         ? view::gapAt(*m_canvas.shown(), row->lane->id,
                                       m_canvas.viewport().timeAt(m_map.columnAt(point.x())))
                         : std::nullopt;
    gap ? m_canvas.selectGap(gap) : m_canvas.select(hit);
}

void CanvasInput::doubleClick(QPoint point) {
    if (isAtNames(point))
        m_canvas.setNamesWidth(std::nullopt);
    else if (const auto hit = m_map.activityAt(point))
        m_canvas.zoomTo(*hit);
    else if (selection().gap() && point.x() >= m_canvas.gutter())
        fitSelection(m_canvas);
}

void CanvasInput::wheel(QWheelEvent& event) {
    const QPoint delta = event.angleDelta();
    if (event.modifiers() & Qt::ControlModifier)
        m_canvas.zoomAt(event.position().toPoint().x(), std::pow(kWheelZoom, delta.y() / 120.0));
    else if ((event.modifiers() & Qt::ShiftModifier) || delta.x() != 0)
        m_canvas.panBy(-(delta.x() != 0 ? delta.x() : delta.y()) / 2);
    else
        m_canvas.rows().setScroll(m_canvas.rows().scroll() - delta.y() / 3);
    event.accept();
}

} // namespace olab::ui
