#include "window/runs/save_name.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace olab::ui {
namespace {

/// "svg" of "SVG drawing (*.svg)".
QString endingOfFilter(const QString& filter) {
    return filter.section(QStringLiteral("*."), -1).remove(QLatin1Char(')'));
}

} // namespace

SaveName askSaveName(QWidget& parent, const SaveQuestion& question) {
    QFileDialog dialog(&parent, question.title, {}, question.filters);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    const auto followFilter = [&](const QString& filter) { dialog.setDefaultSuffix(endingOfFilter(filter)); };
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, followFilter);
    followFilter(dialog.selectedNameFilter());
    dialog.selectFile(question.proposed);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return {};
    return {dialog.selectedFiles().front(), dialog.selectedNameFilter()};
}

QString plainFileName(const QString& title) {
    constexpr qsizetype kLongest = 80;
    QString name;
    for (const QChar letter : (title.endsWith(QLatin1String(".olab")) ? title.chopped(5) : title).toLower())
        if (letter.isLetterOrNumber())
            name += letter;
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += QLatin1Char('-');
    name.truncate(kLongest);
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("run") : name;
}

QString freeFileName(const QString& folder, const QString& name, const QString& ending,
                     const QStringList& taken) {
    const QDir in(folder);
    QString path = in.filePath(name + ending);
    for (int number = 2; QFileInfo::exists(path) || taken.contains(path); ++number)
        path = in.filePath(name + QLatin1Char('-') + QString::number(number) + ending);
    return path;
}

} // namespace olab::ui
