#include "pictures/painted.h"

#include "pictures/picture_flow.h"

#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QUuid>

#include <algorithm>
#include <cmath>

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

namespace {

constexpr int kEdge = 28, kRow = 26, kType = 15, kTitleType = 22;

QFont fontOf(int pixels, bool bold = false) {
    QFont font = pictureFont();
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

QSize sizeOf(const TablePicture& table) {
    return {kTableWidth, 2 * kEdge + 3 * kRow + kRow * (static_cast<int>(table.rows.size()) + 1) + 2 * kRow};
}

/// By what is in them; the first takes what is left.
QList<int> widthsOf(const TablePicture& table) {
    const QFontMetrics metrics(fontOf(kType, true));
    QList<int> widths;
    for (qsizetype i = 0; i < table.heads.size(); ++i) {
        int width = metrics.horizontalAdvance(table.heads[i]);
        for (const QStringList& row : table.rows)
            width = std::max(width, metrics.horizontalAdvance(row.value(i)));
        widths << width + 24;
    }
    int rest = kTableWidth - 2 * kEdge;
    for (qsizetype i = 1; i < widths.size(); ++i)
        rest -= widths[i];
    if (!widths.isEmpty())
        widths[0] = std::max(rest, 120);
    return widths;
}

void paintRow(QPainter& painter, const QStringList& cells, const QList<int>& widths, int top) {
    int x = kEdge;
    for (qsizetype i = 0; i < widths.size(); ++i) {
        const QRect area(x + 6, top, widths[i] - 12, kRow);
        const bool isText = i < 2;
        const QString text = painter.fontMetrics().elidedText(cells.value(i), Qt::ElideRight, area.width());
        painter.drawText(area, (isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, text);
        x += widths[i];
    }
}

void paintTable(QPainter& painter, const TablePicture& table) {
    const Theme& theme = Theme::of(table.dark, false);
    const QSize size = sizeOf(table);
    painter.fillRect(QRect({0, 0}, size), theme.base);
    painter.setPen(theme.text);
    painter.setFont(fontOf(kTitleType, true));
    painter.drawText(QRect(kEdge, kEdge, size.width() - 2 * kEdge, kRow + 8), Qt::AlignLeft, table.title);
    painter.setFont(fontOf(kType, true));
    painter.drawText(QRect(kEdge, kEdge + kRow + 10, size.width() - 2 * kEdge, kRow), Qt::AlignLeft,
                     table.badge);
    const QList<int> widths = widthsOf(table);
    int top = kEdge + 3 * kRow;
    paintRow(painter, table.heads, widths, top);
    painter.setFont(fontOf(kType));
    for (qsizetype i = 0; i < table.rows.size(); ++i) {
        top += kRow;
        if (i % 2 == 0)
            painter.fillRect(QRect(kEdge, top, size.width() - 2 * kEdge, kRow), theme.lane);
        paintRow(painter, table.rows[i], widths, top);
    }
    painter.setPen(theme.dim);
    painter.drawText(QRect(kEdge, top + kRow + 8, size.width() - 2 * kEdge, 2 * kRow), Qt::TextWordWrap,
                     table.note);
}

} // namespace

QByteArray tablePicture(const TablePicture& table, const QString& ending) {
    const Painted picture{sizeOf(table), 1, table.title + QLatin1Char(' ') + table.badge, table.note,
                          [&table](QPainter& painter) { paintTable(painter, table); }};
    if (ending == QLatin1String("png"))
        return paintedPng(picture, 2);
    if (ending == QLatin1String("svg"))
        return paintedSvg(picture);
    if (ending == QLatin1String("pdf"))
        return paintedPdf(picture);
    throw Error(ErrorKind::Usage, "unknown-format", tr("A table is no picture of this kind.").toStdString(),
                tr("Its name must end in .png, .svg or .pdf.").toStdString());
}

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
