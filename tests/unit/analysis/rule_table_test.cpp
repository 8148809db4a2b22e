// The rule table, row by row: each rule fires on a run that has its cause and on none that is healthy, asks
// for the records that it needs, and what it offers changes something and cannot race. A new rule has its
// cases here.
#include "simulated_run.h"
#include "test_places.h"

#include <olab/experiment/data_flow.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/planned_change.h>
#include <olab/trace/lanes_of.h>

#include <filesystem>
#include <map>
#include <set>

namespace olab::test {
namespace {

using Options = std::vector<std::string>;

/// A simulated run in which the rule fires, and what it then offers to try. Each remedy of a row is offered
/// in one of them.
struct RuleCase {
    std::string_view rule;
    Options options, offers;
};

const std::vector<RuleCase>& cases() {
    static const std::vector<RuleCase> table = {
        {"pageable",
         {"h2d.memory=pageable", "d2h.memory=pageable"},
         {"h2d.memory=pinned", "d2h.memory=pinned"}},
        {"pageable", {"d2h.memory=pageable"}, {"d2h.memory=pinned"}},
        {"same-stream", {"streams=1"}, {"streams=3", "iterations=8"}},
        {"null-stream", {"stream.kind=blocking", "null_op=memset"}, {"stream.kind=nonblocking"}},
        {"null-stream", {"stream.kind=blocking", "kernel.stream=null"}, {"kernel.stream=own"}},
        {"null-stream",
         {"stream.kind=legacy", "buffers=shared", "streams=2", "null_op=memset"},
         {"null_op=off"}},
        {"null-stream",
         {"stream.kind=legacy", "buffers=shared", "streams=2", "interfere=memset-sync"},
         {"interfere=none"}},
        {"memset-full-grid", {"kernel.blocks=fill:8", "kernel.us=800", "streams=2"}, {"kernel.blocks=64"}},
        {"memset-full-grid",
         {"sim.device=k20c", "kernel.us=800", "h2d.bytes=64KiB", "d2h.bytes=64KiB"},
         {"kernel.blocks=16"}},
        {"launch-bound",
         {"h2d.bytes=4KiB", "d2h.bytes=4KiB", "memset.bytes=4KiB", "kernel.us=2", "gate=off", "callback=off"},
         {"submit=graph"}},
        {"engine-bound", {"h2d.bytes=64MiB"}, {}},
        {"head-of-line",
         {"streams=3", "iterations=4", "h2d.bytes=48KiB", "h2d.first_bytes=256MiB", "memset=off", "d2h=off",
          "callback=off", "kernel.us=100"},
         {}},
        {"priority",
         {"stream.priority=first-high", "kernel.blocks=fill:4", "kernel.us=800", "iterations=8"},
         {"stream.priority=equal"}},
        {"queue-full",
         {"streams=2", "iterations=700", "gate=off", "callback=off", "kernel.us=100", "h2d.bytes=64KiB",
          "d2h.bytes=64KiB", "memset.bytes=64KiB"},
         {"env.launch_queues=4x"}},
        {"copy-engine-shared", {"sim.device=c1060"}, {}},
        {"too-few-streams", {"streams=2", "iterations=12", "callback=off"}, {"streams=8", "iterations=3"}},
        {"ramp", {"iterations=1"}, {}},
    };
    return table;
}

/// Two devices that meet in collectives; the second comes late to all of them.
Trace lateAtCollectives() {
    TraceBuilder builder;
    const TextId name = builder.intern("ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    for (int i = 0; i < 10; ++i)
        for (std::uint32_t device = 0; device < 2; ++device) {
            ActivityRecord r;
            r.cls = Kernel, r.device = device, r.context = device + 1, r.stream = 7, r.name = name;
            r.begin = us(1000. * i + 200. * device + 1), r.end = us(1000. * i + 500);
            builder.add(r);
        }
    return builder.finish();
}

/// What no experiment can do: planted in records.
struct PlantedCase {
    std::string_view rule;
    Trace (*trace)();
};
constexpr PlantedCase kPlanted[] = {{"straggler", lateAtCollectives}};

/// Pipelines that nothing holds back but the hardware.
const std::vector<Options>& healthyRuns() {
    static const std::vector<Options> table = {
        {},
        {"streams=8"},
        {"order=breadth"},
        {"callback=off"},
        {"api=driver"},
        {"kernel.us=1000"},
        {"h2d.bytes=64MiB", "d2h.bytes=64MiB"},
        {"stream.kind=nonblocking", "null_op=memset"},
        {"stream.kind=blocking"},
        {"h2d.memory=registered", "d2h.memory=registered"},
    };
    return table;
}

std::string textOf(const Options& options) {
    std::string text = "with";
    for (const std::string& option : options)
        text += " " + option;
    return text;
}

Options textsOf(const experiment::OptionChanges& changes) {
    Options texts;
    for (const auto& [key, value] : changes)
        texts.push_back(key + "=" + value);
    return texts;
}

TEST(RuleTable, EachRowIsWholeAndStandsInTheFileOfItsName) {
    std::set<std::string_view> ids;
    for (const analysis::RuleRow& row : analysis::ruleTable()) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_FALSE(row.title.empty()) << row.id;
        EXPECT_TRUE(row.advice.ends_with('.')) << row.id;
        std::string file(row.id);
        std::ranges::replace(file, '-', '_');
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(OLAB_SOURCE_DIR) / "engine/analysis" /
                                            (row.judge ? "rules" : "causes") / (file + ".cpp")))
            << row.id;
    }
}

TEST(RuleTable, EachChangeNamesAnOptionAndAValueItCanHave) {
    for (const analysis::RuleRow& row : analysis::ruleTable())
        for (const analysis::Remedy& remedy : row.remedies) {
            EXPECT_FALSE(remedy.changes.empty()) << row.id;
            for (const analysis::OptionChange& change : remedy.changes) {
                experiment::HeldExperiment experiment;
                EXPECT_NO_THROW(experiment::setOption(experiment, change.key, change.value))
                    << row.id << ' ' << change.key;
            }
        }
}

TEST(RuleTable, EachRuleFiresWhereItsCauseIs) {
    std::set<std::string_view> fired;
    for (const RuleCase& c : cases()) {
        SCOPED_TRACE(std::string(c.rule) + ' ' + textOf(c.options));
        const SimulatedRun run(c.options);
        const analysis::Finding* finding = findingOf(run.report, c.rule);
        ASSERT_NE(finding, nullptr);
        EXPECT_FALSE(finding->activities.empty());
        EXPECT_FALSE(finding->text.empty());
        EXPECT_FALSE(finding->remedy.empty());
        EXPECT_EQ(textsOf(finding->tryChanges), c.offers);
        fired.insert(c.rule);
    }
    for (const PlantedCase& c : kPlanted) {
        SCOPED_TRACE(c.rule);
        const Trace trace = c.trace();
        const auto lanes = lanesOf(trace);
        const analysis::Report report = analysis::analyze({trace, *lanes});
        const analysis::Finding* finding = findingOf(report, c.rule);
        ASSERT_NE(finding, nullptr);
        EXPECT_FALSE(finding->activities.empty());
        EXPECT_FALSE(finding->text.empty());
        EXPECT_FALSE(finding->remedy.empty());
        EXPECT_GT(finding->lost, 0);
        fired.insert(c.rule);
    }
    fired.insert({"unified-memory", "both-directions"}); // no simulator has them: rules_test.cpp
    for (const analysis::RuleRow& row : analysis::ruleTable())
        EXPECT_TRUE(fired.contains(row.id)) << row.id << " has no case here";
}

TEST(RuleTable, NoRuleFiresOnHealthyRuns) {
    std::map<std::string_view, analysis::RuleSeverity> severities;
    for (const analysis::RuleRow& row : analysis::ruleTable())
        severities[row.id] = row.severity;
    for (const Options& options : healthyRuns()) {
        const SimulatedRun run(options);
        for (const analysis::Finding& finding : run.report.findings)
            EXPECT_EQ(severities.at(finding.id), analysis::RuleSeverity::Bound)
                << finding.id << ' ' << textOf(options) << ": " << finding.text;
    }
}

TEST(RuleTable, WhatIsOfferedChangesSomethingCannotRaceAndTakesTheCauseAway) {
    for (const RuleCase& c : cases()) {
        SCOPED_TRACE(std::string(c.rule) + ' ' + textOf(c.options));
        if (c.offers.empty())
            continue;
        const SimulatedRun before(c.options);
        experiment::HeldExperiment tried = before.schedule.experiment;
        const analysis::Finding* finding = findingOf(before.report, c.rule);
        ASSERT_NE(finding, nullptr);
        for (const auto& [key, value] : finding->tryChanges) {
            EXPECT_NE(experiment::optionText(tried, key), value) << key;
            experiment::setOption(tried, key, value);
        }
        ASSERT_THAT(experiment::conflicts(tried), testing::IsEmpty());
        EXPECT_FALSE(experiment::mayRace(experiment::plan(tried)));
        const SimulatedRun after(tried);
        EXPECT_EQ(defectOf(after.report, DefectCode::DataMismatch), nullptr);
        const analysis::Finding* still = findingOf(after.report, c.rule);
        EXPECT_TRUE(!still || still->lost < finding->lost) << still->text;
        const bool moreStreams = finding->tryChanges.front().first == "streams";
        for (const ActivityClass cls : {MemcpyH2D, Kernel, Memset, MemcpyD2H})
            EXPECT_TRUE(!moreStreams || before.facts->count(cls) == after.facts->count(cls))
                << "not the same work";
    }
}

TEST(RuleTable, EachRemedyIsOfferedSomewhere) {
    std::map<std::string_view, std::set<Options>> offered;
    for (const RuleCase& c : cases())
        offered[c.rule].insert(c.offers);
    for (const analysis::RuleRow& row : analysis::ruleTable())
        for (const analysis::Remedy& remedy : row.remedies) {
            Options changes;
            for (const analysis::OptionChange& change : remedy.changes)
                changes.push_back(std::string(change.key) + '=' + std::string(change.value));
            // another number of streams brings the number of iterations that makes it the same work
            const bool isOffered = std::ranges::any_of(offered[row.id], [&](const Options& offer) {
                return std::ranges::all_of(changes, [&](const std::string& change) {
                    return std::ranges::find(offer, change) != offer.end();
                });
            });
            EXPECT_TRUE(isOffered) << row.id << ": never " << textOf(changes);
        }
}

/// Device work of which no record says anything but when it ran.
Trace bareTrace() {
    TraceBuilder builder;
    std::uint32_t stream = 13;
    for (const ActivityClass cls : {MemcpyH2D, Kernel, Memset, MemcpyD2H}) {
        ActivityRecord r;
        r.cls = cls, r.begin = us(10. * stream), r.end = r.begin + us(4), r.device = 0, r.context = 1;
        r.stream = cls == MemcpyH2D ? kNoNumber : stream++;
        builder.add(r);
    }
    return builder.finish();
}

TEST(RuleTable, RulesAbstainWhereTheRecordsThatTheyNeedLack) {
    const Trace trace = bareTrace();
    const auto lanes = lanesOf(trace);
    const analysis::FactsPtr facts = analysis::gatherFacts({trace, *lanes});
    const analysis::Report report = analysis::reportOf(*facts);
    for (const analysis::RuleRow& row : analysis::ruleTable()) {
        for (const analysis::Need& need : row.needs)
            EXPECT_NE(need(*facts), "") << row.id << ": a record says it";
        const analysis::Abstention* abstention = abstentionOf(report, row.id);
        ASSERT_EQ(abstention != nullptr, !row.needs.empty()) << row.id;
        if (abstention) {
            EXPECT_EQ(abstention->lacks, row.needs.front()(*facts)) << row.id;
        }
    }
}

} // namespace
} // namespace olab::test
