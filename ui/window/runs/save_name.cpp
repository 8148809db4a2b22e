#include "window/runs/save_name.h"

#include "window/messages/messages.h"

#include <olab/trace/output_file.h>
#include <olab/ui/texts.h>

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

void saveInto(const QString& path, const FileContent& content, Messages& messages) {
    try {
        const QByteArray bytes = content(path);
        writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        messages.wrote(path);
    } catch (const Error& error) {
        messages.caught(error);
    }
}

void saveFileAs(QWidget& parent, const SaveQuestion& question, const FileContent& content,
                Messages& messages) {
    if (const QString path = askSaveName(parent, question).path; !path.isEmpty())
        saveInto(path, content, messages);
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
