#include "pictures/hatch.h"

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

} // namespace olab::ui
