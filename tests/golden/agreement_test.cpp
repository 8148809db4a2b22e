// How well the simulator agrees with the recordings that ship: the numbers that the program shows are
// computed here from both. With OLAB_UPDATE_GOLDEN=1 in the environment they are written anew.
#include "recordings.h"

#include <olab/comparison/agreement.h>
#include <olab/experiment/presets.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/error.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace olab {
namespace {

using comparison::ModelAgreement;

/// Of every preset that has a recording, with its default options: as it was measured, and as simulated now.
std::vector<ModelAgreement> computed() {
    std::vector<ModelAgreement> all;
    for (const experiment::Preset& preset : experiment::presets()) {
        const std::filesystem::path file = test::recordingFile(preset.id + "-h200");
        if (!std::filesystem::exists(file))
            continue;
        const recording::RecordingPtr recorded = recording::openRecording(file);
        sim::SimBackend simulator;
        const recording::RecordingPtr simulated =
            recording::runExperiment(preset.experiment, {&simulator, nullptr}, preset.title, {});
        all.push_back(comparison::agreementOf(preset.id, std::string(recorded->trace.devices().front().name),
                                              recorded->report, simulated->report));
    }
    return all;
}

void write(const std::vector<ModelAgreement>& all) {
    std::ofstream file(std::filesystem::path(OLAB_SOURCE_DIR) / "resources/recordings/agreement.txt",
                       std::ios::binary);
    file << "# How the simulator agrees with the recordings beside this file; test_golden writes it "
            "(OLAB_UPDATE_GOLDEN=1).\n"
            "# preset, device, recorded ns, simulated ns, then of each pair: its name, recorded, simulated; "
            "by tabs.\n";
    for (const ModelAgreement& each : all)
        file << comparison::agreementLine(each) << '\n';
}

TEST(Agreement, IsWhatTheSimulatorAndTheRecordingsSayNow) {
    const std::vector<ModelAgreement> now = computed();
    EXPECT_GT(now.size(), 30u);
    if (std::getenv("OLAB_UPDATE_GOLDEN"))
        return write(now); // and build it in
    const auto shipped = comparison::shippedAgreements();
    ASSERT_EQ(now.size(), shipped.size());
    for (std::size_t i = 0; i < now.size(); ++i)
        EXPECT_EQ(now[i], shipped[i]) << comparison::agreementLine(now[i]);
}

TEST(Agreement, OfAPresetBoundByCopiesSaysWhereTheyPart) {
    const ModelAgreement* bound =
        comparison::shippedAgreement(experiment::findPreset("copy-bound")->experiment);
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->device, "NVIDIA H200");
    EXPECT_LT(bound->alike(), bound->pairs.size());
    const std::string text = comparison::agreementText(*bound);
    EXPECT_NE(text.find("D2H | kernel: recorded partial 36 %, simulated overlapped"), std::string::npos)
        << text;
    experiment::HeldExperiment changed = experiment::findPreset("copy-bound")->experiment;
    experiment::setOption(changed, "streams=7");
    EXPECT_EQ(comparison::shippedAgreement(changed), nullptr) << "of exactly these settings";
}

TEST(Agreement, ADifferenceThatIsNoneContradictsNothing) {
    const auto of = [](const char* preset) { return experiment::findPreset(preset)->experiment; };
    const std::string text = // recorded 6.0515 and 6.0511 ms, simulated alike
        comparison::recordedChangeText(of("shared-buffer-pinned"), of("shared-buffer-mended"));
    EXPECT_NE(text.find("Recorded on an NVIDIA H200: before"), std::string::npos) << text;
    EXPECT_EQ(text.find("contradict"), std::string::npos) << text;
}

TEST(Agreement, ALineIsReadAsItWasWritten) {
    const ModelAgreement one{"a",
                             "GPU X",
                             100,
                             90,
                             {{"H2D | kernel", "partial 75 %", "partial 60 %"},
                              {"memset | kernel", "serialized 0 %", "overlapped 97 %"}}};
    EXPECT_EQ(comparison::agreementFrom(comparison::agreementLine(one)), one);
    EXPECT_EQ(one.alike(), 1u);
    EXPECT_EQ(comparison::agreementShortly(one), "simulated: 1 of 2 pairs, time −10 %");
    EXPECT_THROW(comparison::agreementFrom("a\tb\tc"), Error);
    EXPECT_THROW(comparison::agreementFrom("a\tb\t1\tx"), Error);
}

TEST(Agreement, OfAChangeTheRecordingsStandBesideThePrediction) {
    const auto of = [](const char* preset) { return experiment::findPreset(preset)->experiment; };
    const std::string both = comparison::recordedChangeText(of("pageable"), of("default"));
    EXPECT_NE(both.find("Recorded on an NVIDIA H200: before "), std::string::npos) << both;
    EXPECT_NE(both.find("after "), std::string::npos) << both;
    experiment::HeldExperiment own = of("pageable");
    experiment::setOption(own, "streams=7");
    EXPECT_EQ(comparison::recordedChangeText(own, own), "");
    EXPECT_NE(comparison::recordedChangeText(of("pageable"), own).find("before the change: "),
              std::string::npos);
}

} // namespace
} // namespace olab
