// The exercise of a step: one option to change, a button that runs it, and what came of the attempts. GUI
// thread.
#pragma once

#include <olab/lesson/lesson_check.h>

#include <QLabel>
#include <QWidget>

#include <functional>

namespace olab::ui {

// What helps with a lesson's question: a hint on demand, and why an answer is right or wrong. GUI thread.

/// A button of this name that shows the hint, once. Null: there is none.
QWidget* hintOf(const std::string& hint, const char* name);
/// Null: the lesson does not say.
QLabel* whyOf(const lesson::CheckOutcome& answer);

/// A run with one option changed, held against the exercise.
struct LessonAttempt {
    QString change; ///< "kernel.blocks=64"
    lesson::CheckOutcome outcome;
    QString origin; ///< "simulated"
};

struct ExerciseShown {
    const lesson::LessonStep& step;
    const std::vector<LessonAttempt>& attempts;
    QString problem; ///< why the last one did not run; may be empty
    bool enabled = true;
};
/// `run`: key and value of the change.
QWidget* exerciseBox(const ExerciseShown& shown, std::function<void(const QString&, const QString&)> run);

} // namespace olab::ui
