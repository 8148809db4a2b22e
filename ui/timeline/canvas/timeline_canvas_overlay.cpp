// What the canvas paints over the lanes: what is selected or under the pointer, the rulers with their
// numbers.
#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>

#include "timeline/rows/timeline_rows.h"
#include "timeline/rows/value_text.h"

#include <olab/recording/recording.h>
#include <olab/ui/format.h>

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace olab {

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
Qt::PenStyle dashesOf(LinkKind kind) {
    switch (kind) {
    case LinkKind::Call:
        return Qt::DotLine;
    case LinkKind::Stream:
        return Qt::SolidLine;
    case LinkKind::Event:
    case LinkKind::NullStream:
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

int TimelineCanvas::xOf(Ns time) const {
    const double x = static_cast<double>(m_view.edgeAt(time) + device(gutter())) / devicePixelRatioF();
    return static_cast<int>(std::clamp(x, -1e6, 1e6));
}

QRect TimelineCanvas::rectOf(const Row& row) const {
    return {0, m_rows->top(row), width(), row.height};
}

QRect TimelineCanvas::rectOf(Interval time) const {
    const int x0 = xOf(time.begin), x1 = xOf(time.end);
    return {x0, 0, std::max(x1 - x0, 1), height()};
}

void TimelineCanvas::paintOverlay(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    if (const Row* row = m_rows->layout().of(m_rows->inUse())) // the row that keys work on
        painter.fillRect(0, m_rows->top(*row), m_style.strong + 1, row->height, theme.accent);
    if (m_rows->layout().pinnedHeight > 0)
        painter.fillRect(0, m_rows->layout().pinnedHeight - m_style.line, width(), m_style.line, theme.dim);
    if (const auto& drop = m_rows->drop()) // where the row that is dragged would land
        painter.fillRect(0, drop->y - 1, width(), m_style.strong + 1, theme.accent);
    painter.setClipRect(QRect(gutter(), 0, width() - gutter(), height()));
    if (m_selection.range())
        paintRange(painter);
    if (m_band)
        paintBand(painter);
    for (const ActivityIndex lit : m_selection.litIn(m_view.visible()))
        for (const QRect& rect : rectsOf(lit))
            outline(painter, rect, theme.selection);
    if (m_showsLinks)
        paintArrows(painter);
    if (m_selection.place())
        paintPlace(painter);
    if (const Row* row = m_selection.gap() ? m_rows->layout().of(m_selection.gap()->lane) : nullptr) {
        const int x0 = xOf(m_selection.gap()->time.begin),
                  x1 = std::max(xOf(m_selection.gap()->time.end), x0 + 2);
        const QRect area(x0, m_rows->top(*row) + 2, x1 - x0, row->height - 4);
        painter.setPen(QPen(theme.selection, m_style.strong, Qt::DashLine));
        painter.drawRect(area.adjusted(1, 1, -1, -1));
    }
    if (m_hover && m_hover != m_selection.activity())
        for (const QRect& rect : rectsOf(*m_hover)) {
            painter.setPen(QPen(theme.selection, m_style.line));
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
        }
}

void TimelineCanvas::outline(QPainter& painter, const QRect& rect, const QColor& colour) const {
    painter.setPen(QPen(Theme::of(palette()).base, m_style.strong + 2));
    painter.drawRect(rect.adjusted(-1, -1, 0, 0));
    painter.setPen(QPen(colour, m_style.strong));
    painter.drawRect(rect.adjusted(-1, -1, 0, 0));
}

/// The culprit in the colour of accents, and before the op a stretch with how long it waited.
void TimelineCanvas::paintPlace(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    painter.setFont(m_style.smallFont(font()));
    if (m_selection.place()->culprit != kNoActivity)
        for (const QRect& rect : rectsOf(m_selection.place()->culprit)) {
            outline(painter, rect, theme.accent);
            const QString text = tr("held it");
            if (rect.width() > tagWidth(painter, text) + 8)
                paintTag(painter, theme, rect.right() - tagWidth(painter, text) - 2, rect.y() + 1, text,
                         true);
        }
    if (m_selection.place()->wait.length() <= 0)
        return;
    const int x0 = xOf(m_selection.place()->wait.begin), x1 = xOf(m_selection.place()->wait.end);
    const QString text = tr("waited %1").arg(durationText(m_selection.place()->wait.length()));
    for (const Strip* strip :
         m_rows->drawn().stripsWith(m_selection.place()->op)) { // also where the op is out of view
        const Row* row = m_rows->layout().of(strip->lane->id);
        if (!row || x1 < gutter() || x0 > width())
            continue;
        const int top = m_rows->top(*row) + Row::kInset + strip->depth * row->stripHeight;
        const int y = top + row->stripHeight / 2, left = std::max(x0, gutter()),
                  right = std::min(x1, width());
        painter.setPen(QPen(theme.accent, m_style.strong, Qt::DashLine));
        painter.drawLine(left, y, right, y);
        painter.drawLine(x0, top, x0, top + row->stripHeight - 1);
        if (right - left > tagWidth(painter, text) + 8)
            paintTag(painter, theme, (left + right - tagWidth(painter, text)) / 2, y - tagHeight(painter) / 2,
                     text, true);
    }
}

void TimelineCanvas::paintBand(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    QColor veil = theme.accent;
    veil.setAlphaF(0.16F);
    const QRect area = rectOf(*m_band);
    painter.fillRect(area, veil);
    painter.fillRect(QRect(area.left(), 0, m_style.line, height()), theme.accent);
    painter.fillRect(QRect(area.right(), 0, m_style.line, height()), theme.accent);
}

/// The middle of the bar in a lane of the kind wanted; else in any lane that has a row.
std::optional<int> TimelineCanvas::middleOf(ActivityIndex index, LaneKind wanted) const {
    std::optional<int> middle;
    for (const Strip* strip : m_rows->drawn().stripsWith(index))
        if (const Row* row = m_rows->layout().of(strip->lane->id);
            row && (!middle || strip->lane->kind == wanted))
            middle = m_rows->top(*row) + Row::kInset + strip->depth * row->stripHeight + row->stripHeight / 2;
    return middle;
}

std::vector<std::pair<Link, QLineF>> TimelineCanvas::arrows() const {
    std::vector<std::pair<Link, QLineF>> arrows;
    for (const Link& link : m_selection.links()) {
        const LaneKind wanted = link.kind == LinkKind::Stream ? LaneKind::Stream : LaneKind::Engine;
        const auto y0 = middleOf(link.from, wanted), y1 = middleOf(link.to, wanted);
        const Interval from = m_shown->trace().time(link.from), to = m_shown->trace().time(link.to);
        // A call that blocks has not ended when its work begins.
        const Ns start = std::max(std::min(from.end, to.begin), from.begin);
        if (y0 && y1)
            arrows.emplace_back(link, QLineF(xOf(start), *y0, xOf(to.begin), *y1));
    }
    return arrows;
}

void TimelineCanvas::paintArrows(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [link, line] : arrows()) {
        if (std::max(line.x1(), line.x2()) < gutter() || std::min(line.x1(), line.x2()) > width())
            continue;
        const QPainterPath curve = curveOf(line);
        const double head = m_style.scaled(8);
        const QPolygonF tip{
            {line.p2(), line.p2() + QPointF(-head, -head / 2), line.p2() + QPointF(-head, head / 2)}};
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.base, m_style.strong + 2));
        painter.drawPath(curve);
        painter.setPen(QPen(theme.selection, std::max(1.6, 1.0 * m_style.line), dashesOf(link.kind)));
        painter.drawPath(curve);
        painter.setPen(QPen(theme.base, 1));
        painter.setBrush(theme.selection);
        painter.drawPolygon(tip);
    }
    painter.restore();
}

void TimelineCanvas::paintRange(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    const int x0 = xOf(m_selection.range()->begin), x1 = xOf(m_selection.range()->end);
    if (x1 < gutter() || x0 > width())
        return;
    QColor veil = theme.accent;
    veil.setAlphaF(0.10F);
    painter.fillRect(QRect(x0, 0, x1 - x0, height()), veil);
    painter.fillRect(QRect(x0, 0, m_style.strong, height()), theme.accent);
    painter.fillRect(QRect(x1 - m_style.strong / 2, 0, m_style.strong, height()), theme.accent);
    painter.setFont(m_style.smallFont(font()));
    paintShares(painter, *m_selection.range());
    const QString length = durationText(m_selection.range()->length());
    const int wide = tagWidth(painter, length);
    const int left = std::max(x0, gutter()), right = std::min(x1, width());
    paintTag(painter, theme,
             right - left > wide ? (left + right - wide) / 2 : std::min(x1 + 4, width() - wide), 2, length,
             true);
}

/// In each lane the part of the range that it is busy, or its value on average; inside the range, or beside
/// it when it is narrow.
void TimelineCanvas::paintShares(QPainter& painter, Interval range) const {
    const Theme& theme = Theme::of(palette());
    const int x0 = xOf(range.begin), x1 = xOf(range.end);
    for (const Row* row : m_rows->inView()) {
        const bool covered = !row->pinned && m_rows->top(*row) < m_rows->layout().pinnedHeight;
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
        const int right = std::min(x1, width()) - 4;
        const bool inside = right - std::max(x0, gutter()) > m_style.scaled(kShareRoom);
        const int x = inside ? right - wide : std::min(x1 + 4, width() - wide - 2);
        paintTag(painter, theme, x, m_rows->top(*row) + (row->height - tagHeight(painter)) / 2, text, false);
    }
}

void TimelineCanvas::paintBadge(QPainter& painter) const {
    const QString badge = fromText(m_shown->recording->badge());
    if (badge.isEmpty())
        return;
    const Theme& theme = Theme::of(palette());
    painter.setFont(m_style.smallFont(font(), true));
    painter.setClipping(false);
    const int wide = painter.fontMetrics().horizontalAdvance(badge) + 16;
    const QRect area(width() - wide - 6, 2, wide, m_style.scaled(17));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(VerdictKind::Partial));
    painter.drawRoundedRect(area, 4, 4);
    painter.setPen(inkOn(theme.colour(VerdictKind::Partial)));
    painter.drawText(area, Qt::AlignCenter, badge);
}

} // namespace olab
