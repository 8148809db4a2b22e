// One painter, several devices.
#include "base/plain_text.h"
#include "pictures/painted.h"
#include "pictures/picture_page.h"
#include "pictures/picture_painter.h"

#include <olab/trace/output_file.h>
#include <olab/ui/texts.h>

#include <QFileInfo>
#include <QPainter>

namespace olab::ui {

namespace {

Painted paintedOf(PicturePainter& picture, const PictureRequest& request) {
    return {picture.size(), PicturePainter::scaleOf(request),
            picture.text().title + QLatin1Char(' ') + picture.text().badge, picture.text().origin,
            [&picture](QPainter& painter) { picture.paint(painter); }};
}

QByteArray makePng(const view::ViewData& shown, PictureRequest request) {
    request.ratio *= PicturePainter::scaleOf(request);
    PicturePainter picture(shown, request);
    return paintedPng(paintedOf(picture, request), request.ratio);
}

QByteArray makeSvg(const view::ViewData& shown, PictureRequest request) {
    request.ratio = 1;
    PicturePainter picture(shown, request);
    return paintedSvg(paintedOf(picture, request));
}

QByteArray makePdf(const view::ViewData& shown, PictureRequest request) {
    request.ratio = 1;
    PicturePainter picture(shown, request);
    return paintedPdf(paintedOf(picture, request));
}

constexpr PictureFormat kFormats[] = {
    {"png", QT_TR_NOOP("PNG picture"),
     [](const view::ViewData& s, const PictureRequest& r) { return makePng(s, r); }, true},
    {"svg", QT_TR_NOOP("SVG drawing"),
     [](const view::ViewData& s, const PictureRequest& r) { return makeSvg(s, r); }, true},
    {"pdf", QT_TR_NOOP("PDF page"),
     [](const view::ViewData& s, const PictureRequest& r) { return makePdf(s, r); }, true},
    {"html", QT_TR_NOOP("HTML page to zoom in"), picturePage, false},
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
    throw Error(
        ErrorKind::Usage, "unknown-format",
        tr("The name %1 does not say which kind of picture to write.").arg(shownText(path)).toStdString(),
        tr("It must end in one of these: %1.").arg(known.join(QStringLiteral(", "))).toStdString());
}

QImage pictureImage(const view::ViewData& shown, const PictureRequest& request) {
    PictureRequest drawn = request;
    drawn.ratio *= PicturePainter::scaleOf(request);
    PicturePainter picture(shown, drawn);
    return paintedImage(paintedOf(picture, request), drawn.ratio);
}

void writePicture(const view::ViewData& shown, const PictureRequest& request, const QString& path) {
    const QByteArray bytes = pictureFormatOf(path).make(shown, request);
    writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace olab::ui
