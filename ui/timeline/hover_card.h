// The few lines shown beside the pointer, and the many of the inspector.
#pragma once

#include "shell/plain_text.h"

#include <olab/ui/gaps.h>

#include <utility>
#include <vector>

namespace olab {

RichText hoverText(const Shown& shown, ActivityIndex index);

using FieldList = std::vector<std::pair<QString, QString>>;
/// All that is known of an activity, as (name, value) in reading order; empty values are left out.
FieldList activityFields(const Shown& shown, ActivityIndex index);
FieldList gapFields(const Shown& shown, const Gap& gap);
/// Why it started when it did, in a sentence; for host activities, what they are.
QString whyThen(const Shown& shown, ActivityIndex index);

} // namespace olab
