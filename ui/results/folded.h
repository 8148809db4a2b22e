// A part of a page that opens when somebody asks for it.
#pragma once

#include <QString>

class QPushButton;
class QVBoxLayout;
class QWidget;

namespace olab::ui {

/// A button with the title and, below it, what it shows and hides; closed at first.
QPushButton* addFolded(QVBoxLayout& column, const QString& title, QWidget* body);

} // namespace olab::ui
