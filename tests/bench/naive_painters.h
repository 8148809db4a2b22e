// Painters that draw a rectangle for each activity, for comparing.
#pragma once

#include <QImage>

namespace olab::ui {
struct RowLayout;
} // namespace olab::ui

namespace olab::view {
class TimelineIndex;
class Viewport;
} // namespace olab::view

namespace olab {} // namespace olab

namespace olab::bench {

/// Times QPainter, QGraphicsView and Qt Charts on the whole run, each up to what it can bear.
void benchNaive(const view::TimelineIndex& index, const ui::RowLayout& rows, QImage& image,
                const view::Viewport& view, int gutter);

} // namespace olab::bench
