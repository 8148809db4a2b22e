// Common includes and types for the file of a cause: a cause in one run, and the questions its row asks about
// it.
#pragma once

#include "causes/longest_call.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// From causes/brought.inc, which tests/truth/brought.py writes.
Brought broughtBy(std::string_view id);

struct CauseCase {
    const Facts& facts;
    const Ledger& ledger;
    const ExplainedWaits& waits; ///< from the account
    const LedgerEntry& entry;
    const CauseRow& row;
    LongestCall call{};  ///< if the row names calls
    LongestCall range{}; ///< the innermost range instead, if no call takes most of it
};
ExplainedWait waitOf(const CauseCase& c, ActivityIndex row);

// --- proofs that several causes share
bool anyIs(const CauseCase& c, bool (*is)(const CauseCase&, ActivityIndex)); ///< any of the worst activities
bool callIsMost(const CauseCase& c);   ///< most of its waiting was in calls of one name
bool alwaysProved(const CauseCase& c); ///< the cause exists only if its parts were recorded
bool isRecorded(const CauseCase& c);   ///< its waits were recorded, or follow from CUDA's rules

} // namespace olab::analysis
