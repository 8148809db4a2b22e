// The functions of the rule table, one per file, and what they share.
#pragma once

#include <olab/analysis/rules.h>

namespace olab {

RuleResult judgePageable(const Facts&);
RuleResult judgeSameStream(const Facts&);
RuleResult judgeNullStream(const Facts&);
RuleResult judgeMemsetFullGrid(const Facts&);
RuleResult judgeLaunchBound(const Facts&);
RuleResult judgeEngineBound(const Facts&);

/// A finding with the row's id and remedy.
Finding findingOf(std::string_view ruleId);
Abstention abstentionOf(std::string_view ruleId, std::string lacks);

/// Evidence: activities with what each cost.
struct Cost {
    Ns time = 0;
    ActivityIndex activity = kNoActivity;
};
/// Puts the costliest first into the finding, at most kMaxEvidence. Sorts its argument.
void addEvidence(Finding& finding, std::vector<Cost>& costs);

} // namespace olab
