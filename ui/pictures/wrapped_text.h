// Text on a picture, in lines of a width.
#pragma once

#include <QFont>
#include <QStringList>

namespace olab::ui {

/// What does not fit into `mostLines` is left out, and the last line says so.
QStringList wrappedText(const QString& text, const QFont& font, int width, int mostLines);

} // namespace olab::ui
