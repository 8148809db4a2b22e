// One painter, several devices.
#include "pictures/picture_page.h"
#include "pictures/picture_painter.h"

#include <olab/trace/output_file.h>
#include <olab/ui/file_name.h>

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QUuid>

namespace olab {

namespace {

QByteArray makePng(const ViewData& shown, const PictureRequest& request) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!pictureImage(shown, request).save(&buffer, "PNG"))
        throw Error(ErrorKind::Internal, "no-picture", "The picture could not be made.",
                    "Try a smaller width; the memory may be full.");
    return bytes;
}

QByteArray makeSvg(const ViewData& shown, PictureRequest request) {
    request.ratio = 1;
    PicturePainter picture(shown, request);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator device;
    device.setOutputDevice(&buffer);
    device.setResolution(96); // a pixel of the picture is one of the page
    device.setSize((QSizeF(picture.size()) * PicturePainter::scaleOf(request)).toSize());
    device.setViewBox(QRect(QPoint(0, 0), picture.size()));
    device.setTitle((picture.text().title + QLatin1Char(' ') + picture.text().badge).toHtmlEscaped());
    device.setDescription(picture.text().origin.toHtmlEscaped());
    QPainter painter(&device);
    picture.paint(painter);
    painter.end();
    // Where the font is missing another one without serifs fits, an arbitrary one does not.
    const QByteArray family = QFontInfo(pictureFont()).family().toUtf8();
    for (const QByteArray& name : {pictureFont().family().toUtf8(), family})
        bytes.replace("font-family=\"" + name + "\"", "font-family=\"'" + name + "', Verdana, sans-serif\"");
    return bytes;
}

QByteArray makePdf(const ViewData& shown, PictureRequest request) {
    const double scale = PicturePainter::scaleOf(request), pointsPerPixel = scale * 72 / 96;
    request.ratio = 1;
    PicturePainter picture(shown, request);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter device(&buffer);
        device.setResolution(96);
        device.setPageSize(
            QPageSize(QSizeF(picture.size()) * pointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
        device.setPageMargins({});
        device.setTitle(picture.text().title + QLatin1Char(' ') + picture.text().badge);
        device.setCreator(QStringLiteral("Overlap Lab ") + QStringLiteral(OLAB_VERSION));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0) // else a new one each time: the same view gives the same bytes
        device.setDocumentId(QUuid::createUuidV5(QUuid(), device.title()));
#endif
        QPainter painter(&device);
        painter.scale(scale, scale);
        picture.paint(painter);
    }
    return bytes;
}

constexpr PictureFormat kFormats[] = {
    {"png", "PNG picture", makePng, true},
    {"svg", "SVG drawing", [](const ViewData& s, const PictureRequest& r) { return makeSvg(s, r); }, true},
    {"pdf", "PDF page", [](const ViewData& s, const PictureRequest& r) { return makePdf(s, r); }, true},
    {"html", "HTML page to zoom in", picturePage, false},
};

} // namespace

std::span<const PictureFormat> pictureFormats() {
    return kFormats;
}

const PictureFormat& pictureFormatOf(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    QStringList known;
    for (const PictureFormat& format : kFormats) {
        if (ending == QLatin1String(format.ending))
            return format;
        known << QLatin1Char('.') + QLatin1String(format.ending);
    }
    throw Error(ErrorKind::Usage, "unknown-format",
                "The name " + fileOf(path).string() + " does not say which kind of picture to write.",
                "It must end in one of these: " + known.join(QStringLiteral(", ")).toStdString() + ".");
}

QImage pictureImage(const ViewData& shown, const PictureRequest& request) {
    PictureRequest drawn = request;
    drawn.ratio *= PicturePainter::scaleOf(request);
    PicturePainter picture(shown, drawn);
    QImage image(picture.size() * drawn.ratio, QImage::Format_RGB32);
    if (image.isNull())
        throw Error(ErrorKind::Internal, "picture-too-large",
                    "There is no memory for a picture of this size.", "Choose a smaller width.");
    image.setDevicePixelRatio(drawn.ratio);
    QPainter painter(&image);
    picture.paint(painter);
    painter.end();
    image.setText(QStringLiteral("Title"), picture.text().title + QLatin1Char(' ') + picture.text().badge);
    return image;
}

void writePicture(const ViewData& shown, const PictureRequest& request, const QString& path) {
    const QByteArray bytes = pictureFormatOf(path).make(shown, request);
    writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace olab
