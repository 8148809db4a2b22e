// What is said of the wait before an op (ExplainedWait): who waited, how long, why, for whom.
#pragma once

#include <olab/view/view_data.h>

#include <QString>

namespace olab::ui {

/// "spin #7 waited 1.2 ms before it began: the NULL stream. Held by memset #5."
QString waitText(const view::ViewData& shown, const analysis::ExplainedWait& wait);
/// "memset #5"; empty: not known.
QString blockerText(const view::ViewData& shown, const analysis::ExplainedWait& wait);
/// Of an op that something held up, where it is known what; nothing else.
std::optional<analysis::ExplainedWait> blockedWaitOf(const view::ViewData& shown, ActivityIndex op);

} // namespace olab::ui
