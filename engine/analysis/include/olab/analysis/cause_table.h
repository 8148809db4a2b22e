// Everything known about each cause of lost time: one file (causes/<id>.cpp) and one row each, with its
// texts, remedies and proof; the edges that carry it belong to the replay. A rule with the same id uses the
// texts and remedies of the row. The advice of a finding comes from this table, its cost from the account
// (cause_findings.h). Immutable; any thread.
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

/// Who is responsible; determines the colour.
enum class CauseFamily : std::uint8_t { None, Host, Order, Engines, Duration, Bound, Unknown };

struct CauseRow {
    LossCause cause = LossCause::None; ///< this and the id follow from the position in the list
    std::string_view id{};             ///< "null-stream"
    std::string_view label{};          ///< "the NULL stream": for people
    CauseFamily family = CauseFamily::None;
    std::string_view title{}; ///< of its finding, in plain words
    /// "copies use pageable memory": used by the account; empty: never a line of an account.
    std::string_view because{};
    /// How it delays a run: a sentence or two; the numbers of the run are added.
    std::string_view why{};
    std::string_view advice{};    ///< what to do, one sentence or two
    std::string_view inPyTorch{}; ///< the same for PyTorch users; empty: use `advice`
    /// The condition for a remedy that removes an order; shown if no plan tells what data needs.
    std::string_view mustHold{};
    std::string_view page{};            ///< of NVIDIA's documentation; empty: no page covers it
    std::span<const Remedy> remedies{}; ///< the best first
    std::span<const Need> needs{};      ///< needs of the rule with this id
    bool namesCall = false;       ///< name the longest call within its waits, which says more than the cause
    bool hostsOwn = false;        ///< time of the host itself, not a wait
    bool slows = false;           ///< its work takes longer; it does not wait
    Blame blames = Blame::Nobody; ///< whose work is blamed for its waits in the verdict of a pair
    Brought brought{};            ///< looked up by id
    /// Why no account can separate its time, appended to the rule's text; empty: an account can.
    std::string_view noPartBecause{};
    /// Whether a record shows it; otherwise, and if null, it is only consistent with the trace.
    bool (*isProved)(const CauseCase&) = nullptr;
    /// The sentence about one wait: what it waited for and how long. Null: plainSentence() (wait_words.h).
    std::string (*sentence)(const TraceFacts&, const ExplainedWait&) = nullptr;
};
/// All possible subjects of a finding, in the order of LossCause: without None, StreamOrder and Unexplained.
std::span<const CauseRow> causeTable();
const CauseRow& causeRow(LossCause cause);   ///< for every cause
const CauseRow* causeRowOf(LossCause cause); ///< null: not in causeTable()

/// The cause with this id; None: no such cause.
LossCause lossCauseOf(std::string_view id);
/// The ids of all possible findings: those of the rules, then those of causes without a rule.
std::vector<std::string_view> findingIds();
/// The title of a finding; its id if it comes from another version.
std::string_view findingTitle(std::string_view id);
bool isRule(std::string_view id);

} // namespace olab::analysis
