// The rule table: one row and one file (rules/<id>.cpp) per diagnosis. A rule is a pure function over Facts;
// it may abstain, saying which record kind it lacked.
#pragma once

#include <olab/analysis/facts.h>

#include <span>
#include <variant>

namespace olab {

/// Nothing found, a finding, or an abstention.
using RuleResult = std::variant<std::monostate, Finding, Abstention>;

struct RuleRow {
    std::string_view id;     ///< stable: reports, --assert finding(id)
    std::string_view title;  ///< "Pageable host memory"
    std::string_view remedy; ///< what to do, one sentence
    std::string_view tryKey,
        tryValue; ///< counterfactual: the option change that would remove the cause; empty: none
    RuleResult (*judge)(const Facts&);
};
std::span<const RuleRow> ruleTable();

} // namespace olab
