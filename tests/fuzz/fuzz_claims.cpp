// Any text as results of claims, which one person hands another: what is accepted comes back the same, within
// what the program writes itself, and the window finds rule by rule what decided a claim.
#include "fuzz.h"

#include <olab/claims/claim_results.h>
#include <olab/claims/claim_words.h>

using namespace olab;
using fuzz::require;

namespace {

/// As the page of a claim does, for cases as the table has them today.
void readRules(const claims::ClaimResult& result) {
    const claims::ClaimRow* const row = claims::findClaim(result.id);
    for (std::size_t i = 0; row && i < std::min(row->cases.size(), result.cases.size()); ++i) {
        const std::vector<claims::RuleValue> values = claims::ruleValues(row->cases[i], result.cases[i]);
        require(values.size() <= row->cases[i].holds.size());
        for (const claims::RuleValue& value : values)
            require(!value.words.empty() && (value.judged || !value.holds));
    }
    require(!claims::outcomeName(result.outcome).empty() && !claims::outcomeWords(result.outcome).empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    claims::ClaimsResults results;
    if (!fuzz::accepted([&] { results = claims::claimsFromJson(fuzz::textOf(data, size)); }))
        return 0;
    const std::string written = claims::claimsToJson(results);
    const claims::ClaimsResults again = claims::claimsFromJson(written);
    require(claims::claimsToJson(again) == written);
    require(again.claims.size() == results.claims.size());
    require(again.experiments.size() == results.experiments.size());
    for (const claims::ClaimResult& claim : results.claims) {
        require(claims::findResult(results, claim.id) != nullptr);
        readRules(claim);
    }
    for (const claims::LabResult& experiment : results.experiments)
        require(claims::findLabResult(results, experiment.id) != nullptr && experiment.seconds >= 0);
    return 0;
}
