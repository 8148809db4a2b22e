// The rule table: one row per diagnosis, with a file (rules/<id>.cpp) where it looks at more than waits. A
// row is data, but for its judge, and the engine does the rest (rule_engine.h): who abstains, what a finding
// holds, what is offered to be tried. A rule with the id of a cause has the title, advice and remedies of
// that cause (causes/<id>.cpp). Immutable; any thread.
#pragma once

#include <olab/analysis/facts.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace olab::analysis {

struct RuleResult; // rules/rule.h: what a rule found

/// Something a rule has to be told by records: says what of it they lack ("API records", "the memory kinds of
/// 2 of 9 copies"), nothing where they tell all. A rule that finds nothing abstains with it, for it could
/// have overlooked something.
using Need = std::string (*)(const TraceFacts&);

enum class RuleSeverity : std::uint8_t {
    Loss, ///< it took time, which mending it brings back
    Bound ///< no fault: the end of what overlap can give. Loses nothing and stands behind the losses
};

/// One option and the value that takes the cause away.
struct OptionChange {
    std::string_view key, value;
    /// Only where ops of these classes are among the evidence: other ops have what it would bring.
    ClassMask where = kAllClasses;
};

/// Changes of options that together are one change of the pipeline.
struct Remedy {
    std::span<const OptionChange> changes;
    std::string_view text{}; ///< what they do, one sentence; empty: the advice of the rule says it
};

struct RuleRow {
    std::string_view id;      ///< stable: reports, --assert finding(id)
    std::string_view title{}; ///< "Pageable host memory"
    RuleSeverity severity = RuleSeverity::Loss;
    std::span<const Need> needs{};      ///< beside records of device work, without which every rule abstains
    std::string_view advice{};          ///< what to do in general, one sentence
    std::span<const Remedy> remedies{}; ///< the best first; which is offered is not for the rule to say
    /// Nothing: it was not the cause. No such function: the waits with the cause of this id are what it
    /// finds.
    std::optional<RuleResult> (*judge)(const TraceFacts&) = nullptr;
};
/// In the order in which rules are listed.
std::span<const RuleRow> ruleTable();
const RuleRow* ruleOf(std::string_view id); ///< null: no rule has this id

} // namespace olab::analysis
