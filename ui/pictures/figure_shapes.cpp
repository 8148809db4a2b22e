#include "pictures/figure_shapes.h"

#include "pictures/hatch.h"
#include "timeline/canvas/ghost_painter.h"

#include <QPainter>
#include <QPainterPath>

namespace olab::ui {
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
