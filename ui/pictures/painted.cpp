#include "pictures/painted.h"

#include "pictures/picture_flow.h"

#include <olab/ui/texts.h>

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QUuid>

#include <algorithm>

namespace olab::ui {

QImage paintedImage(const Painted& picture, double ratio) {
    QImage image(picture.size * ratio, QImage::Format_RGB32);
    if (image.isNull())
        throw Error(ErrorKind::Internal, "picture-too-large",
                    tr("There is no memory for a picture of this size.").toStdString(),
                    tr("Choose a smaller width.").toStdString());
    image.setDevicePixelRatio(std::max(ratio, 1.0)); // Qt takes less for 1
    QPainter painter(&image);
    if (ratio < 1)
        painter.scale(ratio, ratio);
    picture.paint(painter);
    painter.end();
    image.setText(QStringLiteral("Title"), picture.title);
    return image;
}

QByteArray paintedPng(const Painted& picture, double ratio) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!paintedImage(picture, ratio).save(&buffer, "PNG"))
        throw Error(ErrorKind::Internal, "no-picture", tr("The picture could not be made.").toStdString(),
                    tr("Try a smaller width; the memory may be full.").toStdString());
    return bytes;
}

QByteArray paintedSvg(const Painted& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator device;
    device.setOutputDevice(&buffer);
    device.setResolution(96); // a pixel of the picture is one of the page
    device.setSize((QSizeF(picture.size) * picture.scale).toSize());
    device.setViewBox(QRect(QPoint(0, 0), picture.size));
    device.setTitle(picture.title.toHtmlEscaped());
    device.setDescription(picture.about.toHtmlEscaped());
    QPainter painter(&device);
    picture.paint(painter);
    painter.end();
    // Where the font is missing another one without serifs fits, an arbitrary one does not.
    const QByteArray family = QFontInfo(pictureFont()).family().toUtf8();
    for (const QByteArray& name : {pictureFont().family().toUtf8(), family})
        bytes.replace("font-family=\"" + name + "\"", "font-family=\"'" + name + "', Verdana, sans-serif\"");
    return bytes;
}

QByteArray paintedPdf(const Painted& picture) {
    const double pointsPerPixel = picture.scale * 72 / 96;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter device(&buffer);
        device.setResolution(96);
        device.setPageSize(
            QPageSize(QSizeF(picture.size) * pointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
        device.setPageMargins({});
        device.setTitle(picture.title);
        device.setCreator(QStringLiteral("Overlap Lab ") + QStringLiteral(OLAB_VERSION));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0) // else a new one each time: the same view gives the same bytes
        device.setDocumentId(QUuid::createUuidV5(QUuid(), device.title()));
#endif
        QPainter painter(&device);
        painter.scale(picture.scale, picture.scale);
        picture.paint(painter);
    }
    return bytes;
}

} // namespace olab::ui
