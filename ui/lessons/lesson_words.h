// A lesson's text as the window shows it: escaped letters between marks of the program's own. What a lesson's
// file holds is never markup here, and nothing is loaded. GUI thread.
#pragma once

#include "base/plain_text.h"

#include <olab/lesson/lesson.h>

namespace olab::ui {

RichText richText(const lesson::LessonText& text);
/// One paragraph.
RichText richText(const lesson::TextBlock& block);
/// A sentence of a lesson with its `code`, **strong** and *emphasis*.
RichText richSentence(std::string_view markdown);
/// The same as letters, for names and screen readers.
QString plainSentence(std::string_view markdown);

} // namespace olab::ui
