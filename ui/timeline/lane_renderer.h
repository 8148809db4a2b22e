// Paints the rows into an image: backgrounds, grid, labels, columns, bars. In device pixels.
#pragma once

#include "timeline/row_layout.h"
#include <olab/ui/strip_painter.h>

#include <QFont>
#include <QImage>

class QPainter;

namespace olab {

struct RenderInput {
    const Shown& shown;
    const RowLayout& rows;
    const Viewport& view;
    const Theme& theme;
    int scroll = 0;   ///< logical
    int gutter = 0;   ///< logical
    double ratio = 1; ///< device pixels per logical pixel
    QFont font;
    std::set<int> collapsed;
};

void renderRows(QImage& image, const RenderInput& input);
/// Times of the grid lines and ruler ticks of a view: a 1-2-5 series at least `minPx` apart, counted from
/// `zero`.
Ns gridStep(const Viewport& view, int minPx);

} // namespace olab
