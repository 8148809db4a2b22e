// Painters that draw a rectangle for each activity, for comparing.
#pragma once

#include <QImage>

namespace olab {
class TimelineIndex;
class Viewport;
struct RowLayout;
} // namespace olab

namespace olab::bench {

/// Times QPainter, QGraphicsView and Qt Charts on the whole run, each up to what it can bear.
void benchNaive(const TimelineIndex& index, const RowLayout& rows, QImage& image, const Viewport& view,
                int gutter);

} // namespace olab::bench
