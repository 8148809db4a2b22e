// What each shipped recording offers to try, tried on the simulator; and what the recordings of races may
// not claim.
#include "recordings.h"

#include <olab/io/report_json.h>
#include <olab/run/experiment_job.h>
#include <olab/run/recording.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

RecordingPtr simulated(const Experiment& experiment) {
    SimBackend simulator;
    return runExperiment(experiment, {&simulator, nullptr}, "tried", {});
}

const Finding* findingOf(const Report& report, std::string_view id) {
    for (const Finding& finding : report.findings)
        if (finding.id == id)
            return &finding;
    return nullptr;
}

Experiment changedBy(const Changes& changes, Experiment experiment) {
    for (const auto& [key, value] : changes)
        setOption(experiment, key, value);
    return experiment;
}

class TryTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TryTest, EveryTryRunsRightAndChangesSomething) {
    const RecordingPtr recording = openRecording(test::recordingFile(GetParam()));
    ASSERT_TRUE(recording->experiment);
    for (const Finding& finding : recording->report.findings) {
        if (finding.tryChanges.empty())
            continue;
        const Experiment tried = changedBy(finding.tryChanges, *recording->experiment);
        EXPECT_THAT(conflicts(tried), testing::IsEmpty()) << finding.id;
        EXPECT_NE(tried, *recording->experiment) << finding.id;
        const RecordingPtr after = simulated(tried), before = simulated(*recording->experiment);
        EXPECT_EQ(after->raceText(), "") << finding.id;
        const Finding *was = findingOf(before->report, finding.id),
                      *is = findingOf(after->report, finding.id);
        if (was) {
            EXPECT_LT(is ? is->lost : 0, was->lost) << finding.id << ": its cause is still there";
        }
    }
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Recordings, TryTest, ::testing::ValuesIn(test::recordingNames()), testName);

TEST(Try, WhereOnlyTheNullStreamKeepsTheDataRightTheKernelIsMoved) {
    for (const char* name : {"kernel-in-null-stream-h200", "redundant-waits-h200"}) {
        const RecordingPtr recording = openRecording(test::recordingFile(name));
        const Finding* finding = findingOf(recording->report, "null-stream");
        ASSERT_NE(finding, nullptr) << name;
        EXPECT_EQ(finding->tryChanges, (Changes{{"kernel.stream", "own"}})) << name;
        EXPECT_THAT(finding->remedy, testing::HasSubstr("into the stream of its copies")) << name;
        EXPECT_THAT(finding->remedy, testing::HasSubstr("Not stream.kind=nonblocking")) << name;
    }
}

TEST(Races, ProveNothing) {
    int raced = 0;
    for (const std::string& name : test::recordingNames()) {
        const RecordingPtr recording = openRecording(test::recordingFile(name));
        if (recording->raceText().empty())
            continue;
        ++raced;
        const Report& report = recording->report;
        EXPECT_FALSE(report.bounds.efficiency) << name;
        for (const Finding& finding : report.findings)
            EXPECT_THAT(finding.status, testing::AnyOf(FindingStatus::Consistent, FindingStatus::Refuted))
                << name << ": " << finding.id;
        for (const Verdict& verdict : report.verdicts)
            EXPECT_THAT(verdict.kind, testing::AnyOf(VerdictKind::Inconclusive, VerdictKind::NotApplicable))
                << name;
        const std::string json = reportToJson(report, {recording->trace, &*recording->experiment, false, ""});
        EXPECT_THAT(json, testing::HasSubstr("\"race\": \"The pipeline raced: ")) << name;
    }
    EXPECT_EQ(raced, 4);
}

} // namespace
} // namespace olab
