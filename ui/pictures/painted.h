// A picture that can be painted on any device, and the bytes of the formats that take one.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <QStringList>

#include <functional>
#include <string>

class QPainter;

namespace olab::ui {

struct Painted {
    QSize size;       ///< logical pixels
    double scale = 1; ///< of one of them, in pixels of the request
    QString title, about;
    std::function<void(QPainter&)> paint; ///< shapes and text only
};

/// `ratio`: pixels of the image per logical pixel. @throws Error where there is no memory for it
QImage paintedImage(const Painted& picture, double ratio);
QByteArray paintedPng(const Painted& picture, double ratio);
QByteArray paintedSvg(const Painted& picture);
QByteArray paintedPdf(const Painted& picture);

/// A table as a picture to take elsewhere: title, badge, rows, a note. PNG, SVG or PDF by the file's ending.
/// Any thread, once the application is there.
struct TablePicture {
    QString title, badge, note;
    QStringList heads;
    QList<QStringList> rows;
    bool dark = false;
};
inline constexpr int kTableWidth = 1280;

/// `ending`: "png", "svg" or "pdf". @throws Error kind Usage for another
QByteArray tablePicture(const TablePicture& table, const QString& ending);

// A picture of a lesson. Any thread, once the application is there.

/// How high it is for its width; 0: it cannot be drawn.
double svgHeightPerWidth(const std::string& svg);
/// `width` in logical pixels. Null: it cannot be drawn. That it loads nothing was checked when the lesson was
/// read.
QImage svgImage(const std::string& svg, int width, double ratio);

} // namespace olab::ui
