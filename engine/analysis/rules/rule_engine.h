// What becomes of the rows of the rule table: who found something has a finding; who found nothing and could
// have overlooked something abstains.
#pragma once

#include "rules/rule.h"

namespace olab::analysis {

struct RuleResults {
    std::vector<Finding> findings;     ///< losses before bounds, the largest loss first
    std::vector<Abstention> abstained; ///< in the order of the table
};
/// `plan` is for what is offered alone; null: nothing is known of what was planned.
/// @throws Error only when cancelled
RuleResults applyRules(std::span<const RuleRow> rules, const TraceFacts& facts, const experiment::Plan* plan,
                       const RunControl& control);

} // namespace olab::analysis
