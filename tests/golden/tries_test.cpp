// What each shipped recording offers to try, tried on the simulator; and what the recordings of races may
// not claim.
#include "recordings.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/intervention/intervention.h>
#include <olab/io/report_json.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

recording::RecordingPtr simulated(const experiment::Experiment& experiment) {
    sim::SimBackend simulator;
    return recording::runExperiment(experiment, {&simulator, nullptr}, "tried", {});
}

const analysis::Finding* findingOf(const analysis::Report& report, std::string_view id) {
    for (const analysis::Finding& finding : report.findings)
        if (finding.id == id)
            return &finding;
    return nullptr;
}

class TryTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TryTest, EveryTryRunsRightAndChangesSomething) {
    const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(GetParam()));
    ASSERT_TRUE(recording->experiment);
    for (const analysis::Finding& finding : recording->report.findings) {
        if (finding.tryChanges.empty())
            continue;
        sim::SimBackend simulator;
        const intervention::Intervention made = intervention::intervene(
            simulated(*recording->experiment), finding.tryChanges, {&simulator, nullptr}, "tried", {});
        EXPECT_THAT(made.comparison.options, testing::SizeIs(testing::Ge(1u))) << finding.id;
        EXPECT_EQ(made.after->raceText(), "") << finding.id;
        const analysis::Finding *was = findingOf(made.before->report, finding.id),
                                *is = findingOf(made.after->report, finding.id);
        if (was) {
            EXPECT_TRUE(!is || is->lost < was->lost) << finding.id << ": its cause is still there";
        }
    }
}

std::string tryName(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Recordings, TryTest, ::testing::ValuesIn(test::recordingNames()), tryName);

TEST(Try, WhereOnlyTheNullStreamKeepsTheDataRightTheKernelIsMoved) {
    for (const char* name : {"kernel-in-null-stream-h200", "redundant-waits-h200"}) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        const analysis::Finding* finding = findingOf(recording->report, "null-stream");
        ASSERT_NE(finding, nullptr) << name;
        EXPECT_EQ(finding->tryChanges, (experiment::OptionChanges{{"kernel.stream", "own"}})) << name;
        EXPECT_THAT(finding->remedy, testing::HasSubstr("into the stream of its copies")) << name;
        EXPECT_THAT(finding->remedy, testing::HasSubstr("Not stream.kind=nonblocking")) << name;
    }
}

TEST(Try, AnInterventionIsJudged) {
    sim::SimBackend simulator;
    const recording::RecordingPtr before = simulated(experiment::findPreset("pageable")->experiment);
    const experiment::OptionChanges changes{{"h2d.memory", "pinned"}, {"d2h.memory", "pinned"}};
    const intervention::Intervention made =
        intervention::intervene(before, changes, {&simulator, nullptr}, "pinned", {});
    EXPECT_EQ(made.before, before);
    EXPECT_THAT(made.comparison.options,
                testing::ElementsAre(comparison::OptionDifference{"h2d.memory", "pageable", "pinned"},
                                     comparison::OptionDifference{"d2h.memory", "pageable", "pinned"}));
    EXPECT_EQ(made.comparison.obstacle, "");
    EXPECT_GT(made.comparison.speedup.value_or(0), 1.5);
    EXPECT_THAT(made.comparison.headline, testing::HasSubstr("x faster."));
    EXPECT_THROW(intervention::intervene(before, {{"streams", "-1"}}, {&simulator, nullptr}, "", {}), Error);
    EXPECT_THROW(intervention::intervene(before, {{"callback", "off"}, {"issue", "on-callback"}},
                                         {&simulator, nullptr}, "", {}),
                 Error)
        << "options that cannot be together";
    const recording::RecordingPtr foreign =
        recording::makeRecording({TraceBuilder().finish(), nullptr, std::nullopt}, "foreign", false);
    EXPECT_THROW(intervention::intervene(foreign, changes, {&simulator, nullptr}, "", {}), Error);
}

TEST(Races, ProveNothing) {
    int raced = 0;
    for (const std::string& name : test::recordingNames()) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        if (recording->raceText().empty())
            continue;
        ++raced;
        const analysis::Report& report = recording->report;
        EXPECT_FALSE(report.bounds.efficiency) << name;
        for (const analysis::Finding& finding : report.findings)
            EXPECT_THAT(finding.status,
                        testing::AnyOf(analysis::FindingStatus::Consistent, analysis::FindingStatus::Refuted))
                << name << ": " << finding.id;
        for (const analysis::Verdict& verdict : report.verdicts)
            EXPECT_THAT(verdict.kind, testing::AnyOf(analysis::VerdictKind::Inconclusive,
                                                     analysis::VerdictKind::NotApplicable))
                << name;
        const std::string json =
            io::reportToJson(report, {recording->trace, &*recording->experiment, false, ""});
        EXPECT_THAT(json, testing::HasSubstr("\"race\": \"The pipeline raced")) << name;
    }
    EXPECT_EQ(raced, 5);
}

} // namespace
} // namespace olab
