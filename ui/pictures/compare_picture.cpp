// Two recordings on one picture, in every format.
#include "pictures/compare_painter.h"
#include "pictures/painted.h"

#include <olab/trace/output_file.h>
#include <olab/ui/file_name.h>

#include <QFileInfo>

namespace olab::ui {

namespace {

/// Nothing but the drawing: no script, and nothing is loaded.
QByteArray pageOf(const Painted& picture) {
    QByteArray svg = paintedSvg(picture);
    if (const qsizetype at = svg.indexOf("<svg"); at > 0)
        svg.remove(0, at); // what comes before is of a file of its own
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\"><title>" +
           picture.title.toHtmlEscaped().toUtf8() +
           "</title><style>body{margin:0;text-align:center}svg{max-width:100%;height:auto}</style></head>"
           "<body>\n" +
           svg + "</body></html>\n";
}

QByteArray bytesOf(const QString& ending, const Painted& picture, double ratio) {
    if (ending == QLatin1String("png"))
        return paintedPng(picture, ratio);
    if (ending == QLatin1String("svg"))
        return paintedSvg(picture);
    return ending == QLatin1String("pdf") ? paintedPdf(picture) : pageOf(picture);
}

/// What `take` makes of the picture and of the pixels for each of its logical ones; `isPixels`: it is no
/// drawing of lines and text.
template <typename Take>
auto painted(const ComparedPicture& compared, const PictureRequest& request, bool isPixels, Take take) {
    const double scale = ComparePainter::scaleOf(request);
    PictureRequest drawn = request;
    drawn.ratio = isPixels ? request.ratio * scale : 1;
    ComparePainter painter(compared, drawn);
    return take(Painted{painter.size(), scale, painter.title(), painter.title(),
                        [&painter](QPainter& device) { painter.paint(device); }},
                drawn.ratio);
}

} // namespace

QImage comparisonImage(const ComparedPicture& compared, const PictureRequest& request) {
    return painted(compared, request, true, paintedImage);
}

void writeComparison(const ComparedPicture& compared, const PictureRequest& request, const QString& path) {
    const QString ending = QLatin1String(pictureFormatOf(path).ending);
    const QByteArray bytes =
        painted(compared, request, ending == QLatin1String("png"),
                [&](const Painted& picture, double ratio) { return bytesOf(ending, picture, ratio); });
    writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace olab::ui
