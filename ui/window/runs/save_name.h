// The name of a file to be written, asked of a person. An ending that is left out is added before the dialog
// asks whether a file of that name may be replaced: nothing is written over unasked.
#pragma once

#include <QStringList>

class QWidget;

namespace olab::ui {

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

/// A name without ending for what is called so: what a path or a shell reads otherwise is left out.
QString plainFileName(const QString& title);
/// The path of a file in `folder` that is not there and not `taken`: "run.olab", else "run-2.olab" and so on.
QString freeFileName(const QString& folder, const QString& name, const QString& ending,
                     const QStringList& taken);

} // namespace olab::ui
