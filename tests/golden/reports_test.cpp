// The report of each recording as text. A change of analysis shows as a difference to be looked at; with
// OLAB_UPDATE_GOLDEN=1 in the environment the texts are written anew instead.
#include "recordings.h"
#include "test_places.h"

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/plan.h>
#include <olab/io/report_json.h>
#include <olab/recording/recording.h>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace olab {
namespace {

std::string fileText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Of the options only those that differ from their default, so that a new one changes no text.
void dropDefaults(nlohmann::ordered_json& experiment) {
    const auto usual =
        nlohmann::ordered_json::parse(experiment::experimentToJson(experiment::HeldExperiment()));
    for (const auto& [key, value] : usual.items())
        if (experiment.value(key, nlohmann::ordered_json()) == value)
            experiment.erase(key);
}

std::string reportText(const std::string& name) {
    const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
    const experiment::Experiment* experiment = recording->experiment ? &*recording->experiment : nullptr;
    auto report = nlohmann::ordered_json::parse(
        io::reportToJson(recording->report, {recording->trace, experiment, false, ""}));
    dropDefaults(report.at("experiment"));
    for (const char* iteration : {"typical", "worst"}) // counted and judged like the whole
        if (auto& steady = report.at("steady_state"); steady.contains(iteration))
            for (const char* member : {"devices", "verdicts", "bounds"})
                steady.at(iteration).erase(member);
    return report.dump(2) + "\n";
}

class ReportTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ReportTest, IsAsItWasLookedAtAndAccepted) {
    const auto golden =
        std::filesystem::path(OLAB_SOURCE_DIR) / "tests/golden/reports" / (GetParam() + ".json");
    const std::string text = reportText(GetParam());
    if (std::getenv("OLAB_UPDATE_GOLDEN"))
        std::ofstream(golden, std::ios::binary) << text;
    EXPECT_EQ(text, fileText(golden));
}

TEST_P(ReportTest, EveryRecordIsAccountedFor) {
    const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(GetParam()));
    const RecordCounts counts = recording->trace.counts();
    EXPECT_GT(counts.kept, 0u);
    EXPECT_EQ(counts.read, counts.kept + counts.refused);
    EXPECT_EQ(recording->badge(), "RECORDED");
}

TEST_P(ReportTest, EveryPlannedOpWasRecordedOnce) {
    const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(GetParam()));
    ASSERT_TRUE(recording->schedule);
    std::vector<int> seen(recording->schedule->ops.size());
    for (ActivityIndex i = 0; i < recording->trace.size(); ++i) {
        const Activity a = recording->trace[i];
        if (a.cls == ActivityClass::Api || a.cls == ActivityClass::Sync || a.cls == ActivityClass::Overhead)
            continue;
        ASSERT_LT(a.op.value, seen.size());
        ++seen[a.op.value];
    }
    for (const experiment::Op& op : recording->schedule->ops)
        EXPECT_EQ(seen[op.id.value], experiment::classOf(op.kind) ? 1 : 0)
            << "op " << op.id.value << ", " << experiment::opKindName(op.kind);
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Recordings, ReportTest, ::testing::ValuesIn(test::recordingNames()), testName);

} // namespace
} // namespace olab
