// A picture of a lesson. Any thread, once the application is there.
#pragma once

#include <QImage>

#include <string>

namespace olab::ui {

/// How high it is for its width; 0: it cannot be drawn.
double svgHeightPerWidth(const std::string& svg);
/// `width` in logical pixels. Null: it cannot be drawn. That it loads nothing was checked when the lesson was
/// read.
QImage svgImage(const std::string& svg, int width, double ratio);

} // namespace olab::ui
