// The dialogs of the Help menu.
#pragma once

#include <QString>

#include <span>
#include <vector>

class QIcon;
class QWidget;

namespace olab::ui {

/// The words of the screen, each with one plain sentence: causes, verdicts, numbers, and what the timeline
/// shows.
struct Term {
    QString word, meaning;
    QString group; ///< the title above it
};
/// The terms of a group stand together, by the alphabet.
std::vector<Term> glossary();
void showGlossary(QWidget* parent);

/// Keys that do one thing, and what that is.
struct KeyHelp {
    const char *keys, *what;
    const char* group = nullptr; ///< the title above it, of the first of several
};
/// Every key of the window: a new one is listed here (a test looks).
std::span<const KeyHelp> keyList();

/// One row of a list that is looked up; words in plain text.
struct ReferenceRow {
    QString what, meaning;
    QString group; ///< the title above it; empty: that of the row before
};
struct Reference {
    QString id, title, searchName, searchHint;
    std::vector<ReferenceRow> rows;
};
/// A dialog with a search in all rows.
void showReference(QWidget* parent, const Reference& reference);
void showKeys(QWidget* parent);
void showAbout(QWidget* parent);
/// Two bars at the same time, drawn here so that the program needs no file for it.
QIcon programIcon();

} // namespace olab::ui
