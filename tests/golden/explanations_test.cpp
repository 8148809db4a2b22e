// One explanation of a wait: the verdict of a pair, a finding and its sentences name no other cause and no
// other time than the operation itself does (ExplainedWaits), in all recordings that are shipped and all
// traces of other tools that are there.
#include "all_runs.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/explained_wait.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

using testing::HasSubstr;

/// For how long the work of class `of` waited for that of class `by`, by what its operations show.
Ns waitedFor(const test::Run& run, std::uint8_t device, ActivityClass of, ActivityClass by) {
    const Trace& trace = run.recording->trace;
    const analysis::Facts& facts = *run.recording->facts;
    const analysis::ExplainedWaits waits(facts, run.recording->report.ledger);
    Ns sum = 0;
    for (std::size_t n = 0; n < waits.size(); ++n) {
        const analysis::ExplainedWait wait = waits[n];
        if (trace.device(wait.op) != device || trace.cls(wait.op) != of)
            continue;
        const analysis::Blame blame = analysis::causeRow(wait.cause).blames;
        if (blame == analysis::Blame::Blocker && wait.blocker != kNoActivity && trace.cls(wait.blocker) == by)
            sum += wait.held;
        if (blame == analysis::Blame::Meanwhile)
            sum += facts.perDevice()[device].coverage[static_cast<std::size_t>(by)].measure(
                {wait.time.begin, wait.time.begin + wait.held});
    }
    return sum;
}

std::uint8_t deviceOf(const analysis::Report& report, const analysis::Verdict& verdict) {
    return std::ranges::find(report.devices, verdict.device, &analysis::DeviceReport::id)->index;
}

TEST(Explanations, AVerdictHoldsAgainstAClassWhatOperationsSayThatTheyWaitedForIt) {
    std::size_t held = 0;
    for (const test::Run& run : test::allRuns())
        for (const analysis::Verdict& v : run.recording->report.verdicts) {
            if (!v.known)
                continue;
            const std::uint8_t device = deviceOf(run.recording->report, v);
            EXPECT_EQ(v.blockedA - v.stretchedA, waitedFor(run, device, v.a, v.b)) << run.name << v.text;
            EXPECT_EQ(v.blockedB - v.stretchedB, waitedFor(run, device, v.b, v.a)) << run.name << v.text;
            if (v.text.find(" was held or slowed by ") == std::string::npos)
                continue;
            ++held;
            EXPECT_THAT(v.text, HasSubstr(" for " + analysis::timeText(v.blocked))) << run.name;
        }
    EXPECT_GT(held, 10u);
}

/// What an operation that a text names is said to have waited: "memset #46 (stream 14) waited 1.47 ms".
std::string waitSaidOf(std::string_view text, const std::string& name) {
    const std::string before = name + " waited ";
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(at + before.size());
    return std::string(rest.substr(0, rest.find_first_of(".:,", rest.find(' '))));
}

TEST(Explanations, ASentenceAboutOneOperationSaysItsWait) {
    std::size_t said = 0;
    for (const test::Run& run : test::allRuns()) {
        const analysis::Facts& facts = *run.recording->facts;
        const analysis::ExplainedWaits waits(facts, run.recording->report.ledger);
        for (const analysis::Finding& finding : run.recording->report.findings)
            for (const ActivityIndex row : finding.activities)
                for (const std::string& text : {finding.text, finding.why})
                    if (const auto wait = waits.of(row)) {
                        const std::string found = waitSaidOf(text, analysis::activityName(facts, row));
                        if (found.empty())
                            continue;
                        ++said;
                        EXPECT_TRUE(found.starts_with(analysis::timeText(wait->length())))
                            << run.name << ": " << text;
                        EXPECT_EQ(analysis::waitCauseId(wait->cause), finding.id) << run.name << ": " << text;
                    }
    }
    EXPECT_GT(said, 20u);
}

const analysis::LedgerEntry* entryOf(const analysis::Ledger& ledger, std::string_view id) {
    const auto at =
        std::ranges::find(ledger.entries, analysis::lossCauseOf(id), &analysis::LedgerEntry::cause);
    return at == ledger.entries.end() ? nullptr : &*at;
}

/// Which no account can tell, or which costs nothing by being what it is.
bool isApart(const analysis::Finding& finding) {
    const analysis::RuleRow* const rule = analysis::ruleOf(finding.id);
    const analysis::LossCause cause = analysis::lossCauseOf(finding.id);
    return cause == analysis::LossCause::None || !analysis::causeRow(cause).noPartBecause.empty() ||
           (rule && rule->severity == analysis::RuleSeverity::Bound);
}

TEST(Explanations, AFindingSaysWhatTheAccountSays) {
    std::size_t judged = 0;
    for (const test::Run& run : test::allRuns()) {
        const analysis::Report& report = run.recording->report;
        if (!report.ledger || !report.ledger->missing.empty())
            continue;
        const analysis::ExplainedWaits waits(*run.recording->facts, report.ledger);
        for (const analysis::Finding& finding : report.findings) {
            if (isApart(finding))
                continue;
            ++judged;
            const analysis::LedgerEntry* const entry = entryOf(*report.ledger, finding.id);
            ASSERT_NE(entry, nullptr) << run.name << ": " << finding.text;
            EXPECT_EQ(finding.lost, entry->cost) << run.name;
            EXPECT_EQ(finding.waited, std::max(entry->waited, entry->cost)) << run.name;
            EXPECT_THAT(finding.text, HasSubstr(entry->text)) << run.name;
            const bool isOfWaits =
                analysis::causeRow(entry->cause).sentence != nullptr; // not of durations too
            for (const ActivityIndex row : finding.activities)
                if (const auto wait = waits.of(row); wait && isOfWaits && wait->stretched == 0) {
                    EXPECT_EQ(analysis::waitCauseId(wait->cause), finding.id) << run.name << " row " << row;
                }
        }
    }
    EXPECT_GT(judged, 8u);
}

} // namespace
} // namespace olab
