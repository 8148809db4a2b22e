// The findings of a report: from the account if there is one, else from the rules.
#pragma once

#include "rules/rule_engine.h"

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// Findings and abstentions. `waits`: by `report.ledger`, if there is one.
void addFindings(Report& report, const Facts& facts, const ExplainedWaits& waits, RuleResults rules);

} // namespace olab::analysis
