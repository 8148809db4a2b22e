// Paints the rows into an image: headings and labels, which only change with the layout, and the lanes, which
// change with every move of the view. In device pixels.
#pragma once

#include "timeline/canvas/bar_labels.h"
#include "timeline/rows/row_layout.h"
#include <olab/ui/strip_painter.h>
#include <olab/view/account.h>

#include <QFont>
#include <QImage>

class QPainter;

namespace olab::ui {

struct RenderInput {
    DrawnRows lanes;
    Ns zero; ///< of the grid
    const RowLayout& rows;
    const view::Viewport& view;
    const Theme& theme;
    int scroll = 0; ///< logical
    ViewStyle style;
    double ratio = 1; ///< device pixels per logical pixel
    QFont font;
    view::AccountPtr waits{}, ideal{};          ///< of the ghosts that are shown; null: none
    const view::Colouring* colouring = nullptr; ///< null: by class
    std::vector<analysis::LossCause> only{};    ///< of the waits; empty: all
};

/// Everything.
void renderRows(QImage& image, const RenderInput& input, BarLabels& labels);
/// What a move of the view changes: the rest of `image` must be as renderRows() left it.
void renderLanes(QImage& image, const RenderInput& input, BarLabels& labels);
/// The rest, from an image as renderRows() left it.
void copyHeadings(const QImage& from, QImage& to, const RenderInput& input);
/// Of the name of a row the part in which its scale stands: below, where there is room for two lines.
QRect scaleArea(const QRect& name, int line, const QString& scale);
/// Times of the grid lines and ruler ticks of a view: a 1-2-5 series at least `minPx` apart, counted from
/// `zero`.
Ns gridStep(const view::Viewport& view, int minPx);

} // namespace olab::ui
