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

/// `defects`: the trace's and those analysis added. Per device the pairs that make sense, absent classes as
/// NotApplicable.
std::vector<Verdict> judgePairs(const Facts& facts, std::span<const Defect> defects,
                                const std::optional<ToolEffect>& toolEffect);

/// The same by the waits of the account: how long each class was held up, what follows of it, and the
/// sentence. What is inconclusive stays so.
/// `blocked`: of blockedTimes().
void followWaits(std::span<Verdict> verdicts, const Facts& facts, std::span<const BlockedTimes> blocked);

} // namespace olab::analysis
