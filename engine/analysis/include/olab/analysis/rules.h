// The rule table: one row and one file (rules/<id>.cpp) per diagnosis. A rule is a pure function over Facts;
// it may abstain, saying which record kind it lacked.
#pragma once

#include <olab/analysis/facts.h>

#include <span>
#include <variant>

namespace olab {

/// Changes of options, together one change of the pipeline, that would remove a finding's cause.
struct Remedy {
    std::vector<std::pair<std::string, std::string>> changes; ///< key, value
    std::string_view text; ///< what they do, one sentence; empty: the rule's own says it
};
/// A finding and what may be tried, the best first. Which of them is offered is not the rule's to say
/// (remedies.h).
struct Diagnosis {
    Finding finding;
    std::vector<Remedy> remedies;
};

/// Nothing found, a finding, or an abstention.
using RuleResult = std::variant<std::monostate, Diagnosis, Abstention>;

struct RuleRow {
    std::string_view id;     ///< stable: reports, --assert finding(id)
    std::string_view title;  ///< "Pageable host memory"
    std::string_view remedy; ///< what to do in general, one sentence
    RuleResult (*judge)(const Facts&);
};
std::span<const RuleRow> ruleTable();

} // namespace olab
