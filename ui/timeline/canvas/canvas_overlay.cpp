#include "timeline/canvas/canvas_overlay.h"

#include "timeline/rows/row_names.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/recording/recording.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/strip_painter.h>
#include <olab/ui/timeline_canvas.h>

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kTagHeight = 16, kTagPadding = 5, kShareRoom = 64;

int tagWidth(const QPainter& painter, const QString& text) {
    return painter.fontMetrics().horizontalAdvance(text) + 2 * kTagPadding;
}
int tagHeight(const QPainter& painter) {
    return std::max(kTagHeight, painter.fontMetrics().height());
}

/// A word on a small plate of this size. `x`: of its left end.
void paintTag(QPainter& painter, const Theme& theme, int x, int y, const QString& text, bool strong) {
    const QRect area(x, y, tagWidth(painter, text), tagHeight(painter));
    const QColor fill = strong ? theme.accent : theme.raised;
    painter.fillRect(area, fill);
    painter.setPen(strong ? theme.accent : theme.line);
    painter.drawRect(area.adjusted(0, 0, -1, -1));
    painter.setPen(strong ? inkOn(fill) : theme.text);
    painter.drawText(area, Qt::AlignCenter, text);
}

/// Kinds are told apart by their dashes too.
Qt::PenStyle dashesOf(view::LinkKind kind) {
    switch (kind) {
    case view::LinkKind::Call:
        return Qt::DotLine;
    case view::LinkKind::Stream:
        return Qt::SolidLine;
    case view::LinkKind::Event:
    case view::LinkKind::NullStream:
        return Qt::DashLine;
    default:
        return Qt::DashDotLine;
    }
}

QPainterPath curveOf(const QLineF& line) {
    QPainterPath path(line.p1());
    const double bend = std::clamp(std::abs(line.dx()) / 2, 12.0, 60.0);
    path.cubicTo(line.p1() + QPointF(bend, 0), line.p2() - QPointF(bend, 0), line.p2());
    return path;
}

} // namespace

CanvasOverlay::CanvasOverlay(TimelineCanvas& canvas)
    : m_canvas(canvas)
    , m_map(canvas) {}

const Theme& CanvasOverlay::theme() const {
    return Theme::of(m_canvas.palette());
}

std::vector<SeenEvent> CanvasOverlay::seenEvents() const {
    std::vector<SeenEvent> seen;
    const view::ViewDataPtr& shown = m_canvas.shown();
    if (!shown)
        return seen;
    if (m_marksOf != shown) {
        m_marks = eventMarksOf(shown->facts);
        m_marksOf = shown;
    }
    const int size = m_canvas.viewStyle().scaled(kEventMarkSize);
    for (const Row* row : m_canvas.rows().inView()) {
        if (!row->lane || row->lane->kind != LaneKind::Stream)
            continue;
        const EventRow place{row->lane->queue, m_canvas.viewport().visible(), m_canvas.gutter(),
                             m_canvas.rows().top(*row) + row->height, size};
        const auto ofRow = ui::seenEvents(m_marks, place, [this](Ns time) { return m_map.xOf(time); });
        seen.insert(seen.end(), ofRow.begin(), ofRow.end());
    }
    return seen;
}

QString CanvasOverlay::eventText(QPoint point) const {
    for (const auto& [mark, area] : seenEvents())
        if (area.adjusted(-1, -1, 1, 1).contains(point)) {
            const QString which =
                mark->event == kNoNumber ? QString() : QStringLiteral(" %1").arg(mark->event);
            return mark->isWait
                       ? TimelineCanvas::tr("The stream waited for event%1 until its next operation began")
                             .arg(which)
                       : TimelineCanvas::tr("Event%1 is recorded: the work before it in the stream has ended")
                             .arg(which);
        }
    return {};
}

void CanvasOverlay::forget() {
    m_marksOf.reset();
    m_hover.reset();
    m_band.reset();
    m_outlined.clear();
}

void CanvasOverlay::setOutlined(std::vector<OutlinedActivity> outlined) {
    m_outlined = std::move(outlined);
    m_canvas.update();
}

void CanvasOverlay::setHover(std::optional<ActivityIndex> activity) {
    if (std::exchange(m_hover, activity) != activity)
        m_canvas.update();
}

void CanvasOverlay::setBand(std::optional<Interval> band) {
    m_band = m_canvas.shown() ? band : std::nullopt;
    m_canvas.update();
}

void CanvasOverlay::toggleArrows() {
    m_showsArrows = !m_showsArrows;
    m_canvas.update();
}

void CanvasOverlay::setEmptyText(const QString& text) {
    m_emptyText = text;
    m_canvas.update();
}

QString CanvasOverlay::emptyText() const {
    return m_emptyText.isEmpty()
               ? TimelineCanvas::tr(
                     "Press F5 to run the experiment on the left,\nor drop a recording (.olab) here.")
               : m_emptyText;
}

void CanvasOverlay::paintEmpty(QPainter& painter) const {
    const QRect all = m_canvas.rect();
    painter.fillRect(all, theme().base);
    painter.setPen(theme().dim);
    painter.drawText(all, Qt::AlignCenter | Qt::TextWordWrap,
                     m_canvas.shown() ? TimelineCanvas::tr("This recording holds no activities.")
                                      : emptyText());
}

void CanvasOverlay::paint(QPainter& painter) const {
    paintRows(painter);
    const int gutter = m_canvas.gutter();
    painter.setClipRect(QRect(gutter, 0, m_canvas.width() - gutter, m_canvas.height()));
    const view::Selection& selection = m_canvas.selection();
    if (selection.range())
        paintRange(painter, *selection.range());
    if (m_band)
        paintBand(painter);
    paintOutlined(painter);
    paintEvents(painter, seenEvents(), theme());
    paintSelection(painter);
    if (m_hover && m_hover != selection.activity())
        for (const QRect& rect : m_map.rectsOf(*m_hover)) {
            painter.setPen(QPen(theme().selection, m_canvas.viewStyle().line));
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
        }
    paintBadge(painter);
}

/// The row that keys work on, the edge of those that are pinned, where the row that is dragged would land.
void CanvasOverlay::paintRows(QPainter& painter) const {
    const TimelineRows& rows = m_canvas.rows();
    const ViewStyle& style = m_canvas.viewStyle();
    if (const Row* row = rows.layout().of(rows.inUse()))
        painter.fillRect(0, rows.top(*row), style.strong + 1, row->height, theme().accent);
    if (rows.layout().pinnedHeight > 0)
        painter.fillRect(0, rows.layout().pinnedHeight - style.line, m_canvas.width(), style.line,
                         theme().dim);
    if (const auto& drop = rows.drop())
        painter.fillRect(0, drop->y - 1, m_canvas.width(), style.strong + 1, theme().accent);
}

void CanvasOverlay::paintSelection(QPainter& painter) const {
    const view::Selection& selection = m_canvas.selection();
    for (const ActivityIndex lit : selection.litIn(m_canvas.viewport().visible()))
        for (const QRect& rect : m_map.rectsOf(lit))
            outline(painter, rect, theme().selection);
    if (m_showsArrows)
        paintArrows(painter);
    if (const view::Place* place = selection.place()) {
        painter.setFont(m_canvas.viewStyle().smallFont(m_canvas.font()));
        paintCulprit(painter);
        if (place->wait.length() > 0)
            paintWait(painter, place->wait, place->op);
    }
    paintGap(painter);
}

/// Of those too narrow for an outline a tick at the foot of their bars, one for each pixel.
void CanvasOverlay::paintOutlined(QPainter& painter) const {
    const Interval seen = m_canvas.viewport().visible();
    const int strong = m_canvas.viewStyle().strong;
    int last = -1;
    for (const auto& [activity, number] : m_outlined) {
        const Interval time = m_canvas.shown()->trace().time(activity);
        if (time.end < seen.begin || time.begin > seen.end)
            continue;
        const int x = m_map.xOf(time.begin);
        const bool isNarrow = m_map.xOf(time.end) - x < 2 * strong;
        if (isNarrow && std::exchange(last, x) == x)
            continue;
        const QColor& colour = colourOf(number, theme());
        for (const QRect& rect : m_map.rectsOf(activity)) {
            painter.setPen(QPen(colour, strong, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            isNarrow ? painter.fillRect(QRect(x, rect.bottom() - 4, strong, 5), colour)
                     : painter.drawRect(rect.adjusted(1, 1, -2, -2));
        }
    }
}

void CanvasOverlay::paintGap(QPainter& painter) const {
    const auto& gap = m_canvas.selection().gap();
    const Row* row = gap ? m_canvas.rows().layout().of(gap->lane) : nullptr;
    if (!row)
        return;
    const int x0 = m_map.xOf(gap->time.begin), x1 = std::max(m_map.xOf(gap->time.end), x0 + 2);
    const QRect area(x0, m_canvas.rows().top(*row) + 2, x1 - x0, row->height - 4);
    painter.setPen(QPen(theme().selection, m_canvas.viewStyle().strong, Qt::DashLine));
    painter.drawRect(area.adjusted(1, 1, -1, -1));
}

void CanvasOverlay::outline(QPainter& painter, const QRect& rect, const QColor& colour) const {
    const int strong = m_canvas.viewStyle().strong;
    painter.setPen(QPen(theme().base, strong + 2));
    painter.drawRect(rect.adjusted(-1, -1, 0, 0));
    painter.setPen(QPen(colour, strong));
    painter.drawRect(rect.adjusted(-1, -1, 0, 0));
}

/// In the colour of accents.
void CanvasOverlay::paintCulprit(QPainter& painter) const {
    const ActivityIndex culprit = m_canvas.selection().place()->culprit;
    if (culprit == kNoActivity)
        return;
    for (const QRect& rect : m_map.rectsOf(culprit)) {
        outline(painter, rect, theme().accent);
        const QString text = TimelineCanvas::tr("held it");
        if (rect.width() > tagWidth(painter, text) + 8)
            paintTag(painter, theme(), rect.right() - tagWidth(painter, text) - 2, rect.y() + 1, text, true);
    }
}

/// A stretch before the op with how long it waited; also where the op is out of view.
void CanvasOverlay::paintWait(QPainter& painter, Interval wait, ActivityIndex op) const {
    const TimelineRows& rows = m_canvas.rows();
    const int x0 = m_map.xOf(wait.begin), x1 = m_map.xOf(wait.end);
    if (x1 < m_canvas.gutter() || x0 > m_canvas.width())
        return;
    const int left = std::max(x0, m_canvas.gutter()), right = std::min(x1, m_canvas.width());
    const QString text = TimelineCanvas::tr("waited %1").arg(durationText(wait.length()));
    for (const view::Strip* strip : rows.drawn().stripsWith(op)) {
        const Row* row = rows.layout().of(strip->lane->id);
        if (!row)
            continue;
        const int top = rows.top(*row) + Row::kInset + strip->depth * row->stripHeight;
        const int y = top + row->stripHeight / 2;
        painter.setPen(QPen(theme().accent, m_canvas.viewStyle().strong, Qt::DashLine));
        painter.drawLine(left, y, right, y);
        painter.drawLine(x0, top, x0, top + row->stripHeight - 1);
        if (right - left > tagWidth(painter, text) + 8)
            paintTag(painter, theme(), (left + right - tagWidth(painter, text)) / 2,
                     y - tagHeight(painter) / 2, text, true);
    }
}

void CanvasOverlay::paintBand(QPainter& painter) const {
    const Theme& theme = this->theme();
    QColor veil = theme.accent;
    veil.setAlphaF(0.16F);
    const QRect area = m_map.rectOf(*m_band);
    painter.fillRect(area, veil);
    painter.fillRect(QRect(area.left(), 0, m_canvas.viewStyle().line, m_canvas.height()), theme.accent);
    painter.fillRect(QRect(area.right(), 0, m_canvas.viewStyle().line, m_canvas.height()), theme.accent);
}

/// The middle of the bar in a lane of the kind wanted; else in any lane that has a row.
std::optional<int> CanvasOverlay::middleOf(ActivityIndex index, LaneKind wanted) const {
    std::optional<int> middle;
    for (const view::Strip* strip : m_canvas.rows().drawn().stripsWith(index))
        if (const Row* row = m_canvas.rows().layout().of(strip->lane->id);
            row && (!middle || strip->lane->kind == wanted))
            middle = m_canvas.rows().top(*row) + Row::kInset + strip->depth * row->stripHeight +
                     row->stripHeight / 2;
    return middle;
}

std::vector<std::pair<view::Link, QLineF>> CanvasOverlay::arrows() const {
    std::vector<std::pair<view::Link, QLineF>> arrows;
    for (const view::Link& link : m_canvas.selection().links()) {
        const LaneKind wanted = link.kind == view::LinkKind::Stream ? LaneKind::Stream : LaneKind::Engine;
        const auto y0 = middleOf(link.from, wanted), y1 = middleOf(link.to, wanted);
        const Interval from = m_canvas.shown()->trace().time(link.from),
                       to = m_canvas.shown()->trace().time(link.to);
        // A call that blocks has not ended when its work begins.
        const Ns start = std::max(std::min(from.end, to.begin), from.begin);
        if (y0 && y1)
            arrows.emplace_back(link, QLineF(m_map.xOf(start), *y0, m_map.xOf(to.begin), *y1));
    }
    return arrows;
}

void CanvasOverlay::paintArrows(QPainter& painter) const {
    const Theme& theme = this->theme();
    const auto drawn = arrows();
    if (drawn.empty())
        return;
    painter.save();
    // They pass below the names: one that is struck through cannot be read.
    painter.setClipRegion(QRegion(m_canvas.gutter(), 0, m_canvas.width(), m_canvas.height()) -
                          m_canvas.names());
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [link, line] : drawn) {
        if (std::max(line.x1(), line.x2()) < m_canvas.gutter() ||
            std::min(line.x1(), line.x2()) > m_canvas.width())
            continue;
        const QPainterPath curve = curveOf(line);
        const double head = m_canvas.viewStyle().scaled(8);
        const QPolygonF tip{
            {line.p2(), line.p2() + QPointF(-head, -head / 2), line.p2() + QPointF(-head, head / 2)}};
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.base, m_canvas.viewStyle().strong + 2));
        painter.drawPath(curve);
        painter.setPen(
            QPen(theme.selection, std::max(1.6, 1.0 * m_canvas.viewStyle().line), dashesOf(link.kind)));
        painter.drawPath(curve);
        painter.setPen(QPen(theme.base, 1));
        painter.setBrush(theme.selection);
        painter.drawPolygon(tip);
    }
    painter.restore();
}

void CanvasOverlay::paintRange(QPainter& painter, Interval range) const {
    const Theme& theme = this->theme();
    const int x0 = m_map.xOf(range.begin), x1 = m_map.xOf(range.end);
    if (x1 < m_canvas.gutter() || x0 > m_canvas.width())
        return;
    QColor veil = theme.accent;
    veil.setAlphaF(0.10F);
    painter.fillRect(QRect(x0, 0, x1 - x0, m_canvas.height()), veil);
    painter.fillRect(QRect(x0, 0, m_canvas.viewStyle().strong, m_canvas.height()), theme.accent);
    painter.fillRect(
        QRect(x1 - m_canvas.viewStyle().strong / 2, 0, m_canvas.viewStyle().strong, m_canvas.height()),
        theme.accent);
    painter.setFont(m_canvas.viewStyle().smallFont(m_canvas.font()));
    paintShares(painter, range);
    const QString length = durationText(range.length());
    const int wide = tagWidth(painter, length);
    const int left = std::max(x0, m_canvas.gutter()), right = std::min(x1, m_canvas.width());
    paintTag(painter, theme,
             right - left > wide ? (left + right - wide) / 2 : std::min(x1 + 4, m_canvas.width() - wide), 2,
             length, true);
}

/// In each lane the part of the range that it is busy, or its value on average; inside the range, or beside
/// it when it is narrow.
void CanvasOverlay::paintShares(QPainter& painter, Interval range) const {
    const Theme& theme = this->theme();
    const int x0 = m_map.xOf(range.begin), x1 = m_map.xOf(range.end);
    for (const Row* row : m_canvas.rows().inView()) {
        const bool covered =
            !row->pinned && m_canvas.rows().top(*row) < m_canvas.rows().layout().pinnedHeight;
        if (!row->lane || covered || range.length() <= 0)
            continue;
        const Ns busy = row->lane->busy.measure(range);
        const QString text =
            showsValue(row->lane->kind)
                ? averageText(*row, range)
                : percentLabel(static_cast<double>(busy) / static_cast<double>(range.length()));
        if (text.isEmpty())
            continue;
        const int wide = tagWidth(painter, text);
        const int right = std::min(x1, m_canvas.width()) - 4;
        const bool inside = right - std::max(x0, m_canvas.gutter()) > m_canvas.viewStyle().scaled(kShareRoom);
        const int x = inside ? right - wide : std::min(x1 + 4, m_canvas.width() - wide - 2);
        paintTag(painter, theme, x, m_canvas.rows().top(*row) + (row->height - tagHeight(painter)) / 2, text,
                 false);
    }
}

void CanvasOverlay::paintBadge(QPainter& painter) const {
    const QString badge = fromText(m_canvas.shown()->recording->badge());
    if (badge.isEmpty() || !m_showsBadge)
        return;
    const Theme& theme = this->theme();
    painter.setFont(m_canvas.viewStyle().smallFont(m_canvas.font(), true));
    painter.setClipping(false);
    const int wide = painter.fontMetrics().horizontalAdvance(badge) + 16;
    const QRect area(m_canvas.width() - wide - 6, 2, wide, m_canvas.viewStyle().scaled(17));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(analysis::VerdictKind::Partial));
    painter.drawRoundedRect(area, 4, 4);
    painter.setPen(inkOn(theme.colour(analysis::VerdictKind::Partial)));
    painter.drawText(area, Qt::AlignCenter, badge);
}

} // namespace olab::ui
