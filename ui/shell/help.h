// The dialogs of the Help menu.
#pragma once

class QIcon;
class QWidget;

namespace olab {

void showKeys(QWidget* parent);
void showAbout(QWidget* parent);
/// Two bars at the same time, drawn here so that the program needs no file for it.
QIcon programIcon();

} // namespace olab
