// What a rule without a judge of its own looks at: the waits with the cause of its name.
#pragma once

#include "rules/rule.h"

namespace olab::analysis {

/// Null: nothing waited for it.
std::unique_ptr<RuleJudge> judgeOfWaits(const TraceFacts& facts, LossCause cause);

} // namespace olab::analysis
