// Small parts that a lesson's panel is made of. GUI thread.
#pragma once

#include "base/page_parts.h"

#include <olab/lesson/lesson_check.h>

class QVBoxLayout;

namespace olab::ui {

QString outcomeMark(lesson::Outcome outcome);
/// A row of two: a mark or a word, and a sentence that wraps.
void addMarkedRow(QVBoxLayout& column, const QString& mark, QWidget* words);

} // namespace olab::ui
