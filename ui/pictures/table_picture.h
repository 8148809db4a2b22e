// A table as a picture to take elsewhere: title, badge, rows, a note. PNG, SVG or PDF by the file's ending.
// Any thread, once the application is there.
#pragma once

#include <QByteArray>
#include <QStringList>

namespace olab::ui {

struct TablePicture {
    QString title, badge, note;
    QStringList heads;
    QList<QStringList> rows;
    bool dark = false;
};
inline constexpr int kTableWidth = 1280;

/// `ending`: "png", "svg" or "pdf". @throws Error kind Usage for another
QByteArray tablePicture(const TablePicture& table, const QString& ending);

} // namespace olab::ui
