// What the text of each preset says, checked on its recording from an H200 (two of them for the presets of
// two GPUs).
#include "recordings.h"

#include <olab/assertion/assertion.h>
#include <olab/experiment/presets.h>
#include <olab/io/report_document.h>
#include <olab/recording/recording.h>
#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <map>

namespace olab {
namespace {

/// The recording of a preset, read once.
class PresetRun {
public:
    explicit PresetRun(const std::string& preset)
        : m_recording(recording::openRecording(test::recordingFile(preset + "-h200")))
        , m_document(m_recording->report, {m_recording->trace, &*m_recording->experiment, false, ""})
        , m_judged{m_recording->report, m_document, m_recording->facts.get()} {}
    PresetRun(const PresetRun&) = delete;
    const assertion::Judged& judged() const { return m_judged; }

private:
    recording::RecordingPtr m_recording;
    io::ReportDocument m_document;
    assertion::Judged m_judged;
};

const assertion::Judged* runOf(std::string_view preset) {
    static std::map<std::string, PresetRun, std::less<>> all;
    return experiment::findPreset(preset)
               ? &all.try_emplace(std::string(preset), std::string(preset)).first->second.judged()
               : nullptr;
}

class PresetClaims : public testing::TestWithParam<std::string> {};

TEST_P(PresetClaims, HoldOnItsRecording) {
    for (const experiment::PresetClaim& claim : experiment::findPreset(GetParam())->claims)
        for (const std::string& expression : claim.holds) {
            const assertion::AssertionResult result =
                assertion::checkAssertion(*runOf(GetParam()), expression, runOf);
            EXPECT_TRUE(result.passed) << claim.says << ": " << result.text;
        }
}

std::vector<std::string> measurable() {
    std::vector<std::string> ids;
    for (const experiment::Preset& preset : experiment::presets())
        if (experiment::simulatorOnly(preset.experiment).empty())
            ids.push_back(preset.id);
    return ids;
}

std::string nameOf(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Presets, PresetClaims, testing::ValuesIn(measurable()), nameOf);

TEST(PresetClaim, IsAboutItsOwnRun) {
    const experiment::Preset& pingPong = *experiment::findPreset("ping-pong");
    bool all = true;
    for (const experiment::PresetClaim& claim : pingPong.claims)
        for (const std::string& expression : claim.holds)
            all = all && assertion::checkAssertion(*runOf("best-case"), expression, runOf).passed;
    EXPECT_FALSE(all) << "what one preset says does not hold of another";
}

TEST(Recordings, TwoGpusCopyToEachOtherInEachPass) {
    const PresetRun run("two-gpus-p2p");
    for (const char* expression : {"count(p2p,0)==24", "count(p2p,1)==24"}) {
        const assertion::AssertionResult result = assertion::checkAssertion(run.judged(), expression);
        EXPECT_TRUE(result.passed) << result.text;
    }
}

TEST(Recordings, EveryThreadIsKnown) {
    for (const std::string& name : test::recordingNames()) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        for (const Lane& lane : recording->lanes->lanes())
            EXPECT_EQ(lane.label.find("unknown"), std::string::npos) << name << ": " << lane.label;
    }
}

TEST(Presets, EachThatAGpuCanRunHasARecordingOfItsSettingsAndAClaim) {
    for (const std::string& id : measurable()) {
        const experiment::Preset& preset = *experiment::findPreset(id);
        EXPECT_FALSE(preset.claims.empty()) << id;
        for (const experiment::PresetClaim& claim : preset.claims)
            EXPECT_FALSE(claim.says.empty() || claim.holds.empty()) << id;
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(id + "-h200"));
        ASSERT_TRUE(recording->experiment) << id;
        EXPECT_EQ(*recording->experiment, preset.experiment) << id;
        EXPECT_LT(std::filesystem::file_size(test::recordingFile(id + "-h200")), 300u << 10) << id;
    }
}

} // namespace
} // namespace olab
