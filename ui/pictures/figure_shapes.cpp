#include "pictures/figure_shapes.h"

#include "timeline/canvas/canvas_marks.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kPeriod = 8, kDotRows = 2, kDotStep = 4;
constexpr double kStrength = 0.32; // as the window's hatches

/// The first multiple of `period` that is `from` or more.
int firstFrom(int from, int period) {
    const int rest = ((from % period) + period) % period;
    return rest == 0 ? from : from + period - rest;
}

void line(QPainterPath& path, double x0, double y0, double x1, double y1) {
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
}

/// x + y is the same along a line.
void rising(QPainterPath& path, const QRect& r) {
    const int x1 = r.x() + r.width(), y1 = r.y() + r.height();
    for (int sum = firstFrom(r.x() + r.y() + 1, kPeriod); sum < x1 + y1; sum += kPeriod) {
        const int from = std::max(r.x(), sum - y1), to = std::min(x1, sum - r.y());
        line(path, from, sum - from, to, sum - to);
    }
}

/// x - y is the same along a line.
void falling(QPainterPath& path, const QRect& r) {
    const int x1 = r.x() + r.width(), y1 = r.y() + r.height();
    for (int gap = firstFrom(r.x() - y1 + 1, kPeriod); gap < x1 - r.y(); gap += kPeriod) {
        const int from = std::max(r.x(), gap + r.y()), to = std::min(x1, gap + y1);
        line(path, from, from - gap, to, to - gap);
    }
}

void upright(QPainterPath& path, const QRect& r) {
    for (int x = firstFrom(r.x() + 1, kPeriod); x < r.x() + r.width(); x += kPeriod)
        line(path, x + 0.5, r.y(), x + 0.5, r.y() + r.height());
}

void level(QPainterPath& path, const QRect& r) {
    for (int y = firstFrom(r.y() + 1, kPeriod); y < r.y() + r.height(); y += kPeriod)
        line(path, r.x(), y + 0.5, r.x() + r.width(), y + 0.5);
}

void dotted(QPainterPath& path, const QRect& r) {
    for (int y = firstFrom(r.y() + 1, kDotRows); y < r.y() + r.height(); y += kDotRows) {
        const int shift = (y / kDotRows) % 2 * (kDotStep / 2);
        if (const int x = firstFrom(r.x() + 1 - shift, kDotStep) + shift; x < r.x() + r.width())
            line(path, x, y + 0.5, r.x() + r.width(), y + 0.5);
    }
}

} // namespace

Hatch hatchOver(const std::vector<QRect>& areas, Qt::BrushStyle style) {
    Hatch hatch;
    for (const QRect& area : areas) {
        if (style == Qt::BDiagPattern || style == Qt::DiagCrossPattern)
            rising(hatch.lines, area);
        if (style == Qt::FDiagPattern || style == Qt::DiagCrossPattern)
            falling(hatch.lines, area);
        if (style == Qt::VerPattern)
            upright(hatch.lines, area);
        if (style == Qt::HorPattern)
            level(hatch.lines, area);
        if (style == Qt::Dense6Pattern)
            dotted(hatch.dots, area);
    }
    return hatch;
}

QColor hatchInk(const QColor& fill) {
    const QColor ink = inkOn(fill);
    const auto mix = [](int a, int b) { return static_cast<int>(a * kStrength + b * (1 - kStrength) + 0.5); };
    return QColor(mix(ink.red(), fill.red()), mix(ink.green(), fill.green()), mix(ink.blue(), fill.blue()));
}

QStringList wrappedText(const QString& text, const QFont& font, int width, int mostLines) {
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const QString here = text.mid(line.textStart(), line.textLength()).trimmed();
        if (lines.size() == mostLines) { // there is more than is shown: say so
            lines.back() =
                QFontMetrics(font).elidedText(lines.back() + QLatin1Char(' ') + here, Qt::ElideRight, width);
            break;
        }
        lines << here;
    }
    layout.endLayout();
    return lines;
}

namespace {

void stroke(QPainter& painter, const QPainterPath& path, const QColor& colour, bool dots) {
    if (path.isEmpty())
        return;
    QPen pen(colour, 1, Qt::SolidLine, Qt::FlatCap);
    if (dots)
        pen.setDashPattern({1, 3});
    painter.strokePath(path, pen);
}

} // namespace

void fill(QPainter& painter, const QPainterPath& path, const QColor& colour) {
    if (!path.isEmpty())
        painter.fillPath(path, colour);
}

void paintHatch(QPainter& painter, const std::vector<QRect>& areas, Qt::BrushStyle style, const QColor& ink) {
    const Hatch hatch = hatchOver(areas, style);
    stroke(painter, hatch.lines, ink, false);
    stroke(painter, hatch.dots, ink, true);
}

void paintGhosts(QPainter& painter, const std::vector<QRect>& areas, analysis::LossCause cause,
                 const Theme& theme, int line) {
    const QColor& colour = theme.colour(cause);
    QPainterPath fills, edges;
    std::vector<QRect> hatched;
    for (const QRect& area : areas) {
        fills.addRect(area);
        if (area.width() < kHatchMinWidth)
            continue;
        hatched.push_back(area);
        edges.addRect(area.x(), area.y(), area.width(), line);
        edges.addRect(area.x(), area.y() + area.height() - line, area.width(), line);
        edges.addRect(area.x(), area.y(), line, area.height());
    }
    edges.setFillRule(Qt::WindingFill);
    fill(painter, fills, ghostFill(colour, theme));
    paintHatch(painter, hatched, hatchOf(cause), colour);
    fill(painter, edges, colour);
}

void paintSwatch(QPainter& painter, const QRect& area, ActivityClass cls, const Theme& theme) {
    painter.fillRect(area, theme.colour(cls));
    paintHatch(painter, {area}, hatchOf(cls), hatchInk(theme.colour(cls)));
}

void paintWaitSwatch(QPainter& painter, const QRect& area, analysis::LossCause cause, const Theme& theme) {
    const GhostBand band = waitBand(area.y(), area.height());
    paintGhosts(painter, {QRect(area.x(), band.y, area.width(), band.height)}, cause, theme, 1);
}

void paintPiece(QPainter& painter, const QRect& area, const LedgerPiece& piece, const Theme& theme) {
    const QColor colour = colourOf(piece, theme);
    painter.fillRect(area, colour);
    paintHatch(painter, {area}, hatchOf(piece), hatchInk(colour));
}

} // namespace olab::ui
