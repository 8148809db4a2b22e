// The few lines shown beside the pointer, and the many of the inspector.
#pragma once

#include "base/plain_text.h"

#include <olab/view/gaps.h>

#include <utility>
#include <vector>

namespace olab::ui {

RichText hoverText(const view::ViewData& shown, ActivityIndex index);

using FieldList = std::vector<std::pair<QString, QString>>;
/// All that is known of an activity, as (name, value) in reading order; empty values are left out.
FieldList activityFields(const view::ViewData& shown, ActivityIndex index);
FieldList gapFields(const view::ViewData& shown, const view::Gap& gap);
/// "Nothing on compute for 83 us: the host (thread 4711) was inside cudaMemcpyAsync for 81 us of it."
QString gapSentence(const view::ViewData& shown, const view::Gap& gap);
/// Why it started when it did, in a sentence; for host activities, what they are.
QString whyThen(const view::ViewData& shown, ActivityIndex index);

} // namespace olab::ui
