// The rule table: one row per diagnosis, with a file (rules/<id>.cpp) if it looks at more than waits. A row
// is data, except for its judge; the engine does the rest (rule_engine.h): abstentions, contents of findings,
// the offered remedy. A rule with the id of a cause uses the title, advice and remedies of that cause
// (causes/<id>.cpp). Immutable; any thread.
#pragma once

#include <olab/analysis/facts.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace olab::analysis {

struct RuleResult; // rules/rule.h: what a rule found

/// Information that a rule needs from the records: returns what is missing ("API records", "the memory kinds
/// of 2 of 9 copies"), or nothing if complete. A rule that finds nothing abstains with this text, because it
/// may have overlooked something.
using Need = std::string (*)(const TraceFacts&);

enum class RuleSeverity : std::uint8_t {
    Loss, ///< it took time, which fixing it saves
    Bound ///< no fault but the limit of overlap: costs nothing, listed after the losses
};

/// An option, and the value that removes the cause.
struct OptionChange {
    std::string_view key, value;
    /// Only used if ops of these classes are among the evidence; other ops have its effect already.
    ClassMask where = kAllClasses;
};

/// Option changes that together make one change of the pipeline.
struct Remedy {
    std::span<const OptionChange> changes;
    std::string_view text{}; ///< one sentence about the effect; empty: use the rule's advice
};

struct RuleRow {
    std::string_view id;      ///< stable: reports, --assert finding(id)
    std::string_view title{}; ///< "Pageable host memory"
    RuleSeverity severity = RuleSeverity::Loss;
    std::span<const Need> needs{};      ///< besides records of device work, without which every rule abstains
    std::string_view advice{};          ///< what to do in general, one sentence
    std::span<const Remedy> remedies{}; ///< the best first; the engine chooses which one is offered
    /// Returns nothing if it was not the cause. Null: the rule finds the waits whose cause has this id.
    std::optional<RuleResult> (*judge)(const TraceFacts&) = nullptr;
};
/// In the order of listing.
std::span<const RuleRow> ruleTable();
const RuleRow* ruleOf(std::string_view id); ///< null: no such rule

} // namespace olab::analysis
