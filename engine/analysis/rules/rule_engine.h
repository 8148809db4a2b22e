// What becomes of the rows of the rule table: judges are made, shown the activities in one pass, and heard;
// who found nothing and could have overlooked something abstains; who found something has a finding.
#pragma once

#include "rules/rule.h"

namespace olab::analysis {

struct RuleResults {
    std::vector<Finding> findings;     ///< losses before bounds, the largest loss first
    std::vector<Abstention> abstained; ///< in the order of the table
    /// Rules that had activities shown to them and found nothing all the same: their rows should say sooner
    /// that there is no case.
    std::vector<std::string_view> lookedInVain;
};
/// `plan` is for what is offered alone; null: nothing is known of what was planned.
/// @throws Error only when cancelled
RuleResults applyRules(std::span<const RuleRow> rules, const TraceFacts& facts, const experiment::Plan* plan,
                       const RunControl& control);

} // namespace olab::analysis
