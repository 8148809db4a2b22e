#include <olab/analysis/cause_findings.h>
#include <olab/analysis/framework.h>

#include <olab/analysis/cause_table.h>
#include <olab/analysis/ideal.h>
#include <olab/analysis/waits.h>

#include "causes/cause_case.h"
#include "facts/sentences.h"
#include "report/held_waits.h"
#include "report/verdicts.h"
#include "rules/remedies.h"

#include <algorithm>

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

/// A record shows it; else it only fits what was seen.
bool isProved(const CauseCase& c) {
    return c.row.isProved && c.row.isProved(c);
}

// --- sentences

/// Where its thread was in no call for most of that time.
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

/// " memset #116 (stream 14) waited 430 us for kernel ...": the sentence that stands at it everywhere.
std::string waitOfWorst(const CauseCase& c) {
    if (c.entry.activities.empty())
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
    if (!c.row.page.empty())
        text += " See " + std::string(c.row.page) + ".";
    return text;
}

std::string hiddenText(Ns waited) {
    return waited > 0 ? " Hidden: waited " + timeText(waited) + " in total, but it does not lengthen the run."
                      : " It costs the run nothing.";
}

/// To what a rule says.
std::string costText(const Ledger& ledger, const LedgerEntry& entry) {
    if (entry.cost <= 0)
        return hiddenText(entry.waited);
    return " It added " + timeText(entry.cost) + " to the run." + aloneText(ledger, entry);
}

// --- findings

ClassMask classesOf(const CauseCase& c) {
    ClassMask classes = 0;
    for (const ActivityIndex row : c.entry.activities)
        classes |= maskOf(c.facts.trace().cls(row));
    return classes;
}

Finding findingOf(const CauseCase& c) {
    Finding finding;
    finding.id = lossCauseId(c.entry.cause);
    finding.status = isProved(c) ? FindingStatus::Proved : FindingStatus::Consistent;
    finding.lost = c.entry.cost;
    finding.waited = std::max(c.entry.waited, c.entry.cost);
    finding.activities = c.entry.activities;
    finding.text = c.entry.text + callSentence(c);
    finding.why = whyText(c);
    Offer offer = offerOf(c.row.advice, c.row.remedies, classesOf(c), c.facts.plan());
    finding.remedy = std::move(offer.remedy);
    finding.tryChanges = std::move(offer.changes);
    return finding;
}

/// A bound costs nothing by being one.
bool isBound(std::string_view id) {
    const RuleRow* const rule = ruleOf(id);
    return rule && rule->severity == RuleSeverity::Bound;
}

/// Its numbers and its evidence are waits, which have one explanation: that of the account.
bool isOfWaits(std::string_view id) {
    const RuleRow* const rule = ruleOf(id);
    return rule && rule->ofWaits;
}

void followWaits(Finding& finding, const CauseCase& c) {
    finding.waited = std::max(c.entry.waited, c.entry.cost);
    finding.text = c.entry.text + waitOfWorst(c);
    if (!c.entry.activities.empty())
        finding.activities = c.entry.activities;
}

/// What a rule found: its cost is the account's where that knows the cause.
void follow(Finding& finding, const CauseCase& c) {
    if (isBound(finding.id))
        return;
    finding.lost = std::max<Ns>(0, c.entry.cost);
    if (isOfWaits(finding.id))
        followWaits(finding, c);
    else
        finding.text += costText(c.ledger, c.entry);
    finding.why = whyText(c);
}

/// "callback and host-late": what the account has for the waits in which a rule saw another cause.
std::string ownersText(const Finding& finding, const ExplainedWaits& waits) {
    std::vector<std::string> owners;
    for (const ActivityIndex row : finding.activities)
        if (const auto wait = waits.of(row); wait && wait->isHeld())
            owners.emplace_back(lossCauseTitle(wait->cause));
    std::ranges::sort(owners);
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end()); // not of ranges: clang 14
    return joined(owners);
}

void followWaitsOfOthers(Finding& finding, const ExplainedWaits& waits) {
    const std::string owners = ownersText(finding, waits);
    finding.lost = finding.waited = 0;
    finding.text = "The records alone fit this cause, but the account of the run finds no wait that it owns";
    finding.text += (owners.empty() ? "" : ": they belong to " + owners) + ". It costs the run nothing.";
}

/// What a rule found of a cause that the account does not know.
void followWithout(Finding& finding, const ExplainedWaits& waits) {
    if (isBound(finding.id))
        return;
    if (isOfWaits(finding.id))
        return followWaitsOfOthers(finding, waits);
    if (const std::string_view apart = causeRow(lossCauseOf(finding.id)).noPartBecause; !apart.empty()) {
        finding.text += apart;
        return;
    }
    if (lossCauseOf(finding.id) == LossCause::None)
        return; // nothing that it could know: what it takes is in the time of the kernels themselves
    finding.lost = 0;
    finding.text += hiddenText(finding.waited);
}

bool isInAccount(const Ledger& ledger, const Finding& finding) {
    return std::ranges::find(ledger.entries, lossCauseOf(finding.id), &LedgerEntry::cause) !=
           ledger.entries.end();
}

void forgetAbstention(Report& report, std::string_view id) {
    std::erase_if(report.abstained, [&](const Abstention& a) { return a.rule == id; });
}

void followEntry(Report& report, const Facts& facts, const ExplainedWaits& waits, const LedgerEntry& entry) {
    const CauseRow* row = causeRowOf(entry.cause);
    if (!row)
        return;
    const std::string_view id = lossCauseId(entry.cause);
    const auto known = std::ranges::find(report.findings, id, &Finding::id);
    const double least = kWorthAFinding * static_cast<double>(report.ledger->measured);
    if (known != report.findings.end()) {
        follow(*known, caseOf(facts, *report.ledger, waits, entry, *row));
    } else if (static_cast<double>(entry.cost) >= least) {
        report.findings.push_back(findingOf(caseOf(facts, *report.ledger, waits, entry, *row)));
        forgetAbstention(report, id);
    }
}

} // namespace

std::string aloneText(const Ledger& ledger, const LedgerEntry& entry) {
    if (entry.gain >= entry.cost / 2)
        return {};
    std::string text = " Fixing this alone saves " + timeText(std::max<Ns>(0, entry.gain)), before;
    for (const LedgerEntry& other : ledger.entries) {
        if (other.cause == entry.cause)
            break;
        before += (before.empty() ? "" : ", ") + std::string(lossCauseTitle(other.cause));
    }
    return text + (before.empty() ? "." : "; the rest also requires fixing: " + before + ".");
}

namespace {

/// Nobody finds cudaMallocHost in a program of Python.
void sayInItsWords(Report& report, const Facts& facts) {
    if (frameworkOf(facts.trace()) != Framework::PyTorch)
        return;
    for (Finding& finding : report.findings)
        if (const std::string_view advice = causeRow(lossCauseOf(finding.id)).inPyTorch; !advice.empty())
            finding.remedy = advice;
}

} // namespace

void followLedger(std::span<Verdict> verdicts, const Facts& part, Interval time, const Facts& whole,
                  const std::shared_ptr<const Ledger>& account) {
    if (account && account->missing.empty())
        followWaits(verdicts, part, blockedTimes(part, time, whole, ExplainedWaits(whole, account)));
}

void followLedger(Report& report, const Facts& facts) {
    sayInItsWords(report, facts);
    if (!report.ledger || !report.ledger->missing.empty())
        return;
    followIdeal(report.bounds, *report.ledger);
    const ExplainedWaits waits(facts, report.ledger);
    followWaits(report.verdicts, facts, blockedTimes(facts, waits));
    for (Finding& finding : report.findings)
        if (!isInAccount(*report.ledger, finding))
            followWithout(finding, waits);
    for (const LedgerEntry& entry : report.ledger->entries)
        followEntry(report, facts, waits, entry);
    sayInItsWords(report, facts);
    std::ranges::stable_sort(report.findings, [](const Finding& a, const Finding& b) {
        const bool boundA = isBound(a.id), boundB = isBound(b.id);
        return boundA != boundB ? boundB : a.lost > b.lost;
    });
}

} // namespace olab::analysis
