// Small parts that a lesson's panel is made of. GUI thread.
#pragma once

#include "base/plain_text.h"

#include <olab/lesson/lesson_check.h>

class QVBoxLayout;

namespace olab::ui {

QLabel* stepParagraph(const RichText& text);
QLabel* stepHeading(const QString& text);
QLabel* stepDimmed(const QString& text);
QString outcomeMark(lesson::Outcome outcome);
/// A row of two: a mark or a word, and a sentence that wraps.
void addMarkedRow(QVBoxLayout& column, const QString& mark, QWidget* words);

} // namespace olab::ui
