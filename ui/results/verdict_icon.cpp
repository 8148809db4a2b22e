#include "results/verdict_icon.h"

#include <QPainter>

namespace olab::ui {

namespace {

struct Shape {
    double share;       ///< of the width, each bar
    double solid = 1.0; ///< of a bar; the rest is hollow
};

Shape shapeOf(analysis::VerdictKind kind) {
    switch (kind) {
    case analysis::VerdictKind::Overlapped:
        return {1};
    case analysis::VerdictKind::Stretched:
        return {1, 0.5};
    case analysis::VerdictKind::Partial:
        return {0.68};
    default:
        return {0.46};
    }
}

void paintBar(QPainter& painter, const QRectF& bar, double solid, const QColor& ink) {
    painter.setBrush(ink);
    painter.setPen(Qt::NoPen);
    if (solid >= 1) {
        painter.drawRoundedRect(bar, 2, 2);
        return;
    }
    painter.drawRect(QRectF(bar.topLeft(), QSizeF(bar.width() * solid, bar.height())));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 1));
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

void paintVerdictIcon(QPainter& painter, const QRectF& area, analysis::VerdictKind kind, const QColor& ink) {
    if (kind == analysis::VerdictKind::Inconclusive || kind == analysis::VerdictKind::NotApplicable) {
        painter.setPen(ink);
        painter.drawText(area, Qt::AlignCenter,
                         kind == analysis::VerdictKind::Inconclusive ? QStringLiteral("?")
                                                                     : QStringLiteral("–"));
        return;
    }
    const Shape shape = shapeOf(kind);
    const double length = (area.width() - 2) * shape.share, thick = area.height() * 0.34;
    const double upper = area.y() + area.height() * 0.12, lower = area.y() + area.height() * 0.62;
    paintBar(painter, QRectF(area.x() + 1, upper, length, thick), shape.solid, ink);
    paintBar(painter, QRectF(area.right() - 1 - length, lower, length, thick), shape.solid, ink);
}

} // namespace olab::ui
