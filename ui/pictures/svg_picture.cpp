#include "pictures/svg_picture.h"

#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>

namespace olab::ui {

namespace {

constexpr int kLargestSide = 4096; // pixels

QByteArray bytesOf(const std::string& svg) {
    return QByteArray::fromRawData(svg.data(), static_cast<qsizetype>(svg.size()));
}

double shapeOf(const QSvgRenderer& renderer) {
    const QSizeF size = renderer.viewBoxF().size();
    return renderer.isValid() && size.width() > 0 ? size.height() / size.width() : 0;
}

} // namespace

double svgHeightPerWidth(const std::string& svg) {
    return shapeOf(QSvgRenderer(bytesOf(svg)));
}

QImage svgImage(const std::string& svg, int width, double ratio) {
    QSvgRenderer renderer(bytesOf(svg));
    const double shape = shapeOf(renderer);
    const int wide = std::clamp(static_cast<int>(std::lround(width * ratio)), 1, kLargestSide);
    const int high = static_cast<int>(std::lround(wide * shape));
    if (high < 1 || high > kLargestSide)
        return {};
    QImage image(wide, high, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

} // namespace olab::ui
