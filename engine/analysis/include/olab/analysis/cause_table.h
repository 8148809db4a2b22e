// What is said of each cause of lost time and what is offered against it: one row per LossCause. Causes that
// a rule finds have the words and remedies of that rule, so that both say the same. The advice on a finding
// is this table's, its cost is the account's (cause_findings.h). Immutable; any thread.
#pragma once

#include <olab/analysis/ledger.h>
#include <olab/analysis/rules.h>

#include <span>
#include <string_view>
#include <vector>

namespace olab {

struct CauseRow {
    LossCause cause = LossCause::None;
    std::string_view title{};  ///< in plain words
    std::string_view advice{}; ///< what to do, one sentence or two
    /// How it holds a run up: a sentence or two, to which the numbers of the run are added.
    std::string_view why{};
    std::string_view page{};            ///< of NVIDIA's documentation; empty: none says it
    std::span<const Remedy> remedies{}; ///< the best first
    bool namesCall = false;             ///< the longest call within its waits says more than the cause
};
/// All causes but None and Unexplained, in the order of LossCause.
std::span<const CauseRow> causeTable();
const CauseRow* causeRowOf(LossCause cause); ///< null for None and Unexplained

/// The cause with this id; None where it is none.
LossCause lossCauseOf(std::string_view id);
/// The ids that a finding can have: those of the rules, then those of causes that have no rule.
std::vector<std::string_view> findingIds();
/// What people call a finding; its id where it is of another version.
std::string_view findingTitle(std::string_view id);
bool isRule(std::string_view id);

} // namespace olab
