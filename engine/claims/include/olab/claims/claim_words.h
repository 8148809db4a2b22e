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

/// The code that the source texts print, verbatim, and which of its lines a claim is about
/// (resources/claims/code.json). Quoted, never compiled. Immutable; any thread.
struct CodeListing {
    std::string id;           ///< "001.2": source text and example
    std::string source;       ///< "001"
    std::vector<int> numbers; ///< of each line in the source text, ascending; may have gaps
    std::vector<std::string> lines;
};
struct ClaimCode {
    const CodeListing* listing = nullptr;
    std::vector<int> marked; ///< numbers of the lines that the claim is about
};
/// The listing for a claim; null: its source text has no code for it.
const ClaimCode& claimCode(std::string_view claim);
const std::vector<CodeListing>& codeListings();

} // namespace olab::claims
