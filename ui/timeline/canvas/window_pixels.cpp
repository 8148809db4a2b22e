#include "timeline/canvas/window_pixels.h"

#include <QPaintEngine>
#include <QPaintEvent>
#include <QPainter>
#include <QWidget>

namespace olab::ui {

QImage windowPixels(QPainter& painter, const QPaintEvent& event, const QWidget& widget) {
    if (event.region() != QRegion(widget.rect()) || painter.paintEngine()->type() != QPaintEngine::Raster)
        return {};
    QPaintDevice* const device = painter.paintEngine()->paintDevice();
    auto* const image =
        device && device->devType() == QInternal::Image ? static_cast<QImage*>(device) : nullptr;
    if (!image ||
        (image->format() != QImage::Format_RGB32 && image->format() != QImage::Format_ARGB32_Premultiplied))
        return {};
    const QRect area = painter.deviceTransform().mapRect(QRectF(widget.rect())).toAlignedRect();
    // bits() of a shared image would copy it, and the painter would go on with the old one.
    if (!image->rect().contains(area) || image->depth() != 32 || !image->isDetached())
        return {};
    uchar* const first = image->bits() + area.y() * image->bytesPerLine() + area.x() * 4;
    return QImage(first, area.width(), area.height(), image->bytesPerLine(), QImage::Format_RGB32);
}

} // namespace olab::ui
