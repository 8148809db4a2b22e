// Where in the run of a step its answer is seen. Pure.
#pragma once

#include "lessons/lesson_panel.h"

#include <olab/view/place.h>
#include <olab/view/view_data.h>

#include <optional>

namespace olab::ui {

/// What the step is about, among all that the run has; null: it is not there, or nothing was seen of it.
const analysis::Finding* meantFinding(const lesson::LessonStep& step, const view::ViewData& shown);
/// Where a statement that holds says that it is seen: the operation, and what ran beside it on its device.
std::optional<view::Place> placeSeen(const lesson::LessonStep& step, const lesson::StepOutcome& outcome,
                                     const view::ViewData& shown);

} // namespace olab::ui
