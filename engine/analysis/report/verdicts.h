// The verdict of each pair, by the rule of the command line's reference ("What a verdict means").
#pragma once

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// A pair of classes that gets a verdict; some only where both left records.
struct JudgedPair {
    ActivityClass a, b;
    bool onlyIfPresent;
};
std::span<const JudgedPair> judgedPairs();

/// Per device the pairs that make sense, absent classes as NotApplicable. `blocked`: of blockedTimes().
/// `defects`: the trace's and those analysis added.
std::vector<Verdict> judgePairs(const Facts& facts, std::span<const BlockedTimes> blocked,
                                std::span<const Defect> defects, const std::optional<ToolEffect>& toolEffect);

} // namespace olab::analysis
