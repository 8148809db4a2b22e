// Hatches as lines: paint devices that write files know none of Qt's patterns.
#pragma once

#include <olab/ui/theme.h>

#include <QPainterPath>

#include <vector>

namespace olab::ui {

/// What to stroke, one pixel wide, over `areas`. Some hatches are rows of dots: `dots` strokes with a dash of
/// one and a gap of three pixels.
struct Hatch {
    QPainterPath lines, dots;
};
Hatch hatchOver(const std::vector<QRect>& areas, Qt::BrushStyle style);
/// The hatch on its fill, as an opaque colour.
QColor hatchInk(const QColor& fill);

} // namespace olab::ui
