// What the file of a cause is written with: a cause in one run, and what its row asks about it.
#pragma once

#include "causes/longest_call.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// Of causes/brought.inc, which tests/truth/brought.py writes.
Brought broughtBy(std::string_view id);

struct CauseCase {
    const Facts& facts;
    const Ledger& ledger;
    const ExplainedWaits& waits; ///< by the account
    const LedgerEntry& entry;
    const CauseRow& row;
    LongestCall call{};  ///< where the row names it
    LongestCall range{}; ///< the same, where calls are not most of it
};
ExplainedWait waitOf(const CauseCase& c, ActivityIndex row);

// --- what several causes are proved by
bool anyIs(const CauseCase& c, bool (*is)(const CauseCase&, ActivityIndex)); ///< of the worst activities
bool callIsMost(const CauseCase& c);   ///< most of its waiting passed in calls of one name
bool alwaysProved(const CauseCase& c); ///< what it is made of was recorded, or there would be none
bool isRecorded(const CauseCase& c);   ///< its waits, or CUDA's rules imply them

} // namespace olab::analysis
