// Applies the rows of the rule table: a rule that found something produces a finding; one that found nothing
// but may have overlooked something abstains.
#pragma once

#include "rules/rule.h"

namespace olab::analysis {

struct RuleResults {
    std::vector<Finding> findings;     ///< losses before bounds, the largest loss first
    std::vector<Abstention> abstained; ///< in the order of the table
};
/// `plan` is only used for the offered remedy; null: the plan is unknown. @throws Error only when cancelled
RuleResults applyRules(std::span<const RuleRow> rules, const TraceFacts& facts, const experiment::Plan* plan,
                       const RunControl& control);

} // namespace olab::analysis
