// The name of a file to be written, asked of a person. An ending that is left out is added before the dialog
// asks whether a file of that name may be replaced: nothing is written over unasked.
#pragma once

#include <QStringList>

#include <functional>

class QWidget;

namespace olab::ui {

class Messages;

struct SaveName {
    QString path;   ///< empty: cancelled
    QString filter; ///< the chosen one
};

struct SaveQuestion {
    QString title, proposed;
    QString filters; ///< "PNG picture (*.png);;SVG drawing (*.svg)": a name without an ending gets that of
                     ///< the chosen one
};
SaveName askSaveName(QWidget& parent, const SaveQuestion& question);

/// What goes into the file of this name. @throws Error
using FileContent = std::function<QByteArray(const QString& path)>;
/// Says where it is, or why it could not be written.
void saveInto(const QString& path, const FileContent& content, Messages& messages);
/// The same, where a person wants it.
void saveFileAs(QWidget& parent, const SaveQuestion& question, const FileContent& content,
                Messages& messages);

/// A name without ending for what is called so: what a path or a shell reads otherwise is left out.
QString plainFileName(const QString& title);
/// The path of a file in `folder` that is not there and not `taken`: "run.olab", else "run-2.olab" and so on.
QString freeFileName(const QString& folder, const QString& name, const QString& ending,
                     const QStringList& taken);

} // namespace olab::ui
