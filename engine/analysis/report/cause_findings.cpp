#include <olab/analysis/cause_findings.h>
#include <olab/analysis/framework.h>

#include <olab/analysis/cause_table.h>
#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include "causes/cause_case.h"
#include "facts/sentences.h"
#include "report/findings.h"
#include "rules/remedies.h"

#include <algorithm>
#include <utility>

namespace olab::analysis {
namespace {

CauseCase caseOf(const Facts& facts, const Ledger& ledger, const ExplainedWaits& waits,
                 const LedgerEntry& entry, const CauseRow& row) {
    CauseCase found{facts, ledger, waits, entry, row, {}, {}};
    if (row.namesCall)
        found.call = longestCall(facts, ledger, entry);
    if (row.namesCall && !found.call.isMost())
        found.range = longestRange(facts, ledger, entry);
    return found;
}

/// Whether a record shows it; otherwise it is only consistent with the trace.
bool isProved(const CauseCase& c) {
    return c.row.isProved && c.row.isProved(c);
}

// --- sentences

/// Used if the thread was outside of calls for most of that time.
std::string rangeSentence(const LongestCall& range) {
    const bool isNamed = range.all * 2 >= range.waited;
    const std::string text =
        isNamed ? " Meanwhile its thread was longest in "
                : " For most of that time its thread was in no call and no named range; longest in ";
    return text + range.name + ": " + timeText(range.time) + " of " + timeText(range.waited) + " in " +
           std::to_string(range.count) +
           (range.count == 1 ? " range of that name." : " ranges of that name.");
}

std::string callSentence(const CauseCase& c) {
    if (!c.row.namesCall || c.call.waited <= 0)
        return {};
    if (c.call.isMost())
        return " Meanwhile its thread was longest in " + c.call.name + ": " + timeText(c.call.time) + " in " +
               std::to_string(c.call.count) + (c.call.count == 1 ? " call." : " calls.");
    if (!c.range.name.empty())
        return rangeSentence(c.range);
    if (c.call.all * 2 >= c.call.waited)
        return " Meanwhile its thread was in calls for " + timeText(c.call.all) + " of " +
               timeText(c.call.waited) + ", longest in " + c.call.name + ": " + timeText(c.call.time) +
               " in " + std::to_string(c.call.count) + (c.call.count == 1 ? " call." : " calls.");
    return " For most of that time its thread was in no call: what the program did then is not recorded.";
}

std::string blockerText(const CauseCase& c, const ExplainedWait& wait) {
    if (wait.blocker == kNoActivity || wait.blocker == wait.op)
        return {};
    const bool isOwnCall = c.facts.trace().cls(wait.blocker) == ActivityClass::Api;
    return isOwnCall ? " until the host issued it" : " for " + activityName(c.facts, wait.blocker);
}

/// " memset #116 (stream 14) waited 430 us for kernel ...": the sentence used everywhere for this wait.
std::string waitOfWorst(const CauseCase& c) {
    if (c.entry.activities.empty() || c.row.namesCall)
        return {};
    const ActivityIndex row = c.entry.activities.front();
    const ExplainedWait wait = waitOf(c, row);
    if (wait.cause != c.entry.cause)
        return {};
    std::string text = causeSentence(c.facts, wait);
    text[0] = 'w'; // Waited
    return " " + activityName(c.facts, row) + " " + text;
}

/// The worst, with its numbers.
std::string worstSentence(const CauseCase& c) {
    if (c.entry.activities.empty())
        return {};
    const ActivityIndex row = c.entry.activities.front();
    const ExplainedWait wait = waitOf(c, row);
    const Ns took = c.facts.trace().duration(row);
    const std::string name = activityName(c.facts, row);
    if (wait.cause != c.entry.cause) {
        const Ns alone = c.facts.solo(row);
        return alone <= 0 ? ""
                          : " The worst here, " + name + ", took " + timeText(took) + "; alone it takes " +
                                timeText(alone) + ".";
    }
    return " The longest here: " + name + " waited " + timeText(wait.length()) + blockerText(c, wait) + ".";
}

std::string whyText(const CauseCase& c) {
    std::string text = std::string(c.row.why) + worstSentence(c);
    if (const std::string saved = broughtText(c.entry.brought); !saved.empty())
        text += " Fixing it saved " + saved + ".";
    if (!c.row.page.empty())
        text += " See " + std::string(c.row.page) + ".";
    return text;
}

// --- findings

Finding findingOf(const CauseCase& c) {
    Finding finding;
    finding.id = lossCauseId(c.entry.cause);
    finding.status = isProved(c) ? FindingStatus::Proved : FindingStatus::Consistent;
    finding.lost = c.entry.cost;
    finding.waited = std::max(c.entry.waited, c.entry.cost);
    finding.activities = c.entry.activities;
    finding.text = c.entry.text + callSentence(c) + waitOfWorst(c);
    finding.why = whyText(c);
    Offer offer = offerOf(c.row.advice, c.row.remedies, c.entry.classes, c.facts.plan());
    finding.remedy = std::move(offer.remedy);
    finding.tryChanges = std::move(offer.changes);
    return finding;
}

/// A bound by itself costs nothing.
bool isBound(std::string_view id) {
    const RuleRow* const rule = ruleOf(id);
    return rule && rule->severity == RuleSeverity::Bound;
}

/// Findings whose cost, waits and texts come only from the account.
bool isOfAccount(const Finding& finding) {
    const LossCause cause = lossCauseOf(finding.id);
    return !isBound(finding.id) && cause != LossCause::None && causeRow(cause).noPartBecause.empty();
}

/// Adds causes that cost enough, and causes for which a rule saw waits hidden by other work.
void addCauses(Report& report, const std::vector<Finding>& seen, const Facts& facts,
               const ExplainedWaits& waits) {
    const double least = kWorthAFinding * static_cast<double>(report.ledger->measured);
    for (const LedgerEntry& entry : report.ledger->entries) {
        const CauseRow* const row = causeRowOf(entry.cause);
        if (!row)
            continue;
        const auto rule = std::ranges::find(seen, row->id, &Finding::id);
        const bool isSeen = rule != seen.end();
        if (static_cast<double>(entry.cost) < least && !(isSeen && entry.waited > 0))
            continue;
        report.findings.push_back(findingOf(caseOf(facts, *report.ledger, waits, entry, *row)));
        if (isSeen && rule->status != FindingStatus::Consistent) // proved by other records, or by runs
            report.findings.back().status = rule->status;
        std::erase_if(report.abstained, [&](const Abstention& a) { return a.rule == row->id; });
    }
}

/// Adds what rules saw and the account cannot measure; findings covered by the account are not repeated.
void addOthers(Report& report, const std::vector<Finding>& seen) {
    const auto isTold = [&](const Finding& finding) {
        const auto hasCost = [&](const LedgerEntry& entry) {
            return entry.cost > 0 && lossCauseId(entry.cause) == finding.id;
        };
        return std::ranges::find(report.findings, finding.id, &Finding::id) != report.findings.end() ||
               std::ranges::any_of(report.ledger->entries, hasCost);
    };
    for (const Finding& finding : seen) {
        if (isOfAccount(finding) || isTold(finding))
            continue;
        report.findings.push_back(finding);
        if (const LossCause cause = lossCauseOf(finding.id); !isBound(finding.id) && cause != LossCause::None)
            report.findings.back().text += causeRow(cause).noPartBecause;
    }
}

std::string titlesOf(const std::vector<LossCause>& causes) {
    std::vector<std::string> titles;
    for (const LossCause cause : causes)
        titles.emplace_back(lossCauseTitle(cause));
    return joined(titles);
}

/// The causes that the account fixes earlier.
std::vector<LossCause> causesBefore(const Ledger& ledger, const LedgerEntry& entry) {
    std::vector<LossCause> before;
    for (const LedgerEntry& other : ledger.entries) {
        if (other.cause == entry.cause)
            break;
        before.push_back(other.cause);
    }
    return before;
}

} // namespace

std::string aloneText(const Ledger& ledger, const LedgerEntry& entry) {
    const std::string together = " Only together with fixing: ";
    if (!entry.onlyWith.empty())
        return together + titlesOf(entry.onlyWith) + ".";
    if (entry.gain >= entry.cost / 2)
        return {};
    const std::vector<LossCause> before = causesBefore(ledger, entry);
    if (entry.gain <= 0 && !before.empty())
        return together + titlesOf(before) + ".";
    return " Fixing this alone saves " + timeText(std::max<Ns>(0, entry.gain)) +
           (before.empty() ? "." : "; the rest also requires fixing: " + titlesOf(before) + ".");
}

namespace {

/// Words the advice for the reader: a Python program contains no cudaMallocHost. Without a plan of the
/// required order, remedies that remove an order are offered only with their condition.
void advise(Report& report, const Facts& facts) {
    const bool isPyTorch = frameworkOf(facts.trace()) == Framework::PyTorch;
    for (Finding& finding : report.findings) {
        const CauseRow& row = causeRow(lossCauseOf(finding.id));
        if (isPyTorch && !row.inPyTorch.empty())
            finding.remedy = row.inPyTorch;
        if (facts.plan() || row.mustHold.empty())
            continue;
        finding.tryChanges.clear();
        if (!finding.remedy.ends_with(row.mustHold))
            finding.remedy += " " + std::string(row.mustHold);
    }
}

} // namespace

void addFindings(Report& report, const Facts& facts, const ExplainedWaits& waits, RuleResults rules) {
    report.abstained = std::move(rules.abstained);
    if (report.ledger && report.ledger->missing.empty()) {
        report.findings.clear();
        addCauses(report, rules.findings, facts, waits);
        addOthers(report, rules.findings);
        std::stable_partition(report.findings.begin(), report.findings.end(), // in the order of the account
                              [](const Finding& finding) { return !isBound(finding.id); });
    } else {
        report.findings = std::move(rules.findings);
    }
    advise(report, facts);
}

} // namespace olab::analysis
