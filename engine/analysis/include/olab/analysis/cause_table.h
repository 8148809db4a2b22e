// All that is known of each cause of lost time: one file (causes/<id>.cpp) and one row each. What is said of
// it, what is offered against it, and what proves it; the edges that carry it are the replay's. A rule with
// the same id has the words and remedies of its row. The advice on a finding is this table's, its cost is the
// account's (cause_findings.h). Immutable; any thread.
#pragma once

#include <olab/analysis/ledger.h>
#include <olab/analysis/rules.h>
#include <olab/analysis/waits.h>

#include <span>
#include <string_view>
#include <vector>

namespace olab::analysis {

struct CauseCase; // cause_case.h: a cause in one run
struct ExplainedWait;

/// Whose doing it is: it gives the colour.
enum class CauseFamily : std::uint8_t { None, Host, Order, Engines, Duration, Bound, Unknown };

struct CauseRow {
    LossCause cause = LossCause::None; ///< this and the id: by its place in the list
    std::string_view id{};             ///< "null-stream"
    std::string_view label{};          ///< "the NULL stream": what people call it
    CauseFamily family = CauseFamily::None;
    std::string_view title{}; ///< of its finding, in plain words
    /// "copies use pageable memory": what the account says of it; empty: it is never a line of an account.
    std::string_view because{};
    /// How it holds a run up: a sentence or two, to which the numbers of the run are added.
    std::string_view why{};
    std::string_view advice{};    ///< what to do, one sentence or two
    std::string_view inPyTorch{}; ///< the same in the words of PyTorch; empty: `advice` says it
    /// What must be true for a remedy that takes an order out; said where no plan tells what data needs.
    std::string_view mustHold{};
    std::string_view page{};            ///< of NVIDIA's documentation; empty: none says it
    std::span<const Remedy> remedies{}; ///< the best first
    std::span<const Need> needs{};      ///< of the rule with its id
    bool namesCall = false;             ///< the longest call within its waits says more than the cause
    bool hostsOwn = false;              ///< what the host itself takes, and no wait
    bool slows = false;                 ///< its work takes longer; it does not wait
    Blame blames = Blame::Nobody;       ///< whose work the verdict of a pair holds its waits against
    Brought brought{};                  ///< by its id
    /// Why no account can tell its time apart, to what a rule says of it; empty: one can.
    std::string_view noPartBecause{};
    /// A record shows it; else, and where this is null, it only fits what was seen.
    bool (*isProved)(const CauseCase&) = nullptr;
    /// What a person reads of one wait: what it waited for and how long. Null: plainSentence()
    /// (wait_words.h).
    std::string (*sentence)(const TraceFacts&, const ExplainedWait&) = nullptr;
};
/// All that a finding can be about, in the order of LossCause: not None, StreamOrder and Unexplained.
std::span<const CauseRow> causeTable();
const CauseRow& causeRow(LossCause cause);   ///< of any
const CauseRow* causeRowOf(LossCause cause); ///< null for what is not in causeTable()

/// The cause with this id; None where it is none.
LossCause lossCauseOf(std::string_view id);
/// The ids that a finding can have: those of the rules, then those of causes that have no rule.
std::vector<std::string_view> findingIds();
/// What people call a finding; its id where it is of another version.
std::string_view findingTitle(std::string_view id);
bool isRule(std::string_view id);

} // namespace olab::analysis
