// What helps with a lesson's question: a hint on demand, and why an answer is right or wrong. GUI thread.
#pragma once

#include <olab/lesson/lesson_check.h>

#include <QLabel>
#include <QWidget>

namespace olab::ui {

/// A button of this name that shows the hint, once. Null: there is none.
QWidget* hintOf(const std::string& hint, const char* name);
/// Null: the lesson does not say.
QLabel* whyOf(const lesson::CheckOutcome& answer);

} // namespace olab::ui
