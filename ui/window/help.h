// The dialogs of the Help menu.
#pragma once

#include <span>

class QIcon;
class QWidget;

namespace olab::ui {

/// Keys that do one thing, and what that is.
struct KeyHelp {
    const char *keys, *what;
    const char* group = nullptr; ///< the title above it, of the first of several
};
/// Every key of the window: a new one is listed here (a test looks).
std::span<const KeyHelp> keyList();

void showKeys(QWidget* parent);
void showAbout(QWidget* parent);
/// Two bars at the same time, drawn here so that the program needs no file for it.
QIcon programIcon();

} // namespace olab::ui
