// The rules of claims in words, with the numbers that decided each of them. Pure; any thread.
#pragma once

#include <olab/claims/claim_judge.h>

#include <string>
#include <string_view>
#include <vector>

namespace olab::claims {

/// "E03: number(memset.behind)<=100us" -> "the probe's number memset.behind is at most 100 us"
/// @throws Error kind Usage or Internal for text that is not a rule
std::string ruleWords(std::string_view rule);

/// One rule of a case, with its result.
struct RuleValue {
    std::string run;        ///< "E03"
    std::string expression; ///< "number(memset.behind)<=100us", as the table has it
    std::string words;      ///< the same for people
    std::string found;      ///< "5.84 us", "96 % on device 0, overlapped"; or why it cannot be judged
    bool holds = false, judged = false;
};
/// Those of `tested.holds`, in order, as far as the result has values for them. Empty for a case that was
/// open before any rule was evaluated: result.text then says why.
std::vector<RuleValue> ruleValues(const ClaimCase& tested, const CaseResult& result);

/// The claims with a rule about the finding of this id, in the order of the table.
std::vector<std::string> claimsAbout(std::string_view finding);

/// "confirmed", "refuted", "partly", "inconclusive", "not testable here"
std::string_view outcomeWords(ClaimOutcome outcome);

} // namespace olab::claims
