// The words of the screen, each with one plain sentence: causes, verdicts, numbers, and what the timeline
// shows.
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace olab::ui {

struct Term {
    QString word, meaning;
    QString group; ///< the title above it
};
/// The terms of a group stand together, by the alphabet.
std::vector<Term> glossary();
void showGlossary(QWidget* parent);

} // namespace olab::ui
