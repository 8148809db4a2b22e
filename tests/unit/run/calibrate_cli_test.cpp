// `olab calibrate` as a script sees it, on recordings: of an H200 (resources/recordings) and of the
// simulator.
#include "cli_fixture.h"
#include "test_places.h"

namespace olab::test {
namespace {

using Calibrate = Cli;

fs::path shipped(const char* name) {
    return fs::path(OLAB_SOURCE_DIR) / "resources" / "recordings" / name;
}

std::string fromAll() {
    std::string arguments;
    for (const char* name : {"default-h200.olab", "pageable-h200.olab", "null-stream-h200.olab"})
        arguments += " --from '" + shipped(name).string() + "'";
    return arguments;
}

TEST_F(Calibrate, RecordingsOfAGpuGiveItsModel) {
    const Result r = olab("calibrate" + fromAll());
    ASSERT_EQ(r.code, 0) << r.err;
    const json model = json::parse(r.out);
    EXPECT_EQ(model["name"], "NVIDIA H200");
    EXPECT_EQ(model["sm_count"], 132);
    // A PCIe 5 x16 link: 64 GB/s less its overhead; pageable copies are staged and far slower.
    EXPECT_GT(model["h2d_pinned_bytes_per_us"], 45'000);
    EXPECT_LT(model["h2d_pinned_bytes_per_us"], 64'000);
    EXPECT_LT(model["h2d_pageable_bytes_per_us"], 25'000);
    EXPECT_TRUE(model["checked"].is_null());
    EXPECT_THAT(r.err, HasSubstr("h2d_pinned_bytes_per_us"));
    EXPECT_THAT(r.err, HasSubstr("not checked"));
}

TEST_F(Calibrate, TheModelIsWrittenAndPlayed) {
    const Result written = olab("calibrate -o gpu.json" + fromAll());
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(written.out, "");
    const Result run = olab("run --backend sim --json --set sim.device=file:gpu.json --set iterations=2");
    ASSERT_EQ(run.code, 0) << run.err;
    const json simulator = json::parse(run.out)["simulator"];
    EXPECT_EQ(simulator["model"], "NVIDIA H200");
    EXPECT_TRUE(simulator["checked"].is_null());
    EXPECT_THAT(simulator["for_this_run"]["text"].get<std::string>(), HasSubstr("never checked"));
}

/// Recordings cell-*.olab of the simulator, which predicts itself.
class CalibrateCheck : public Cli {
protected:
    CalibrateCheck() {
        fs::create_directory(m_folder / "grid");
        for (const char* streams : {"1", "2", "3", "4"})
            for (const char* memory : {"pinned", "pageable"}) {
                const std::string name = std::string(memory) + streams;
                const Result r =
                    olab("run --backend sim --set iterations=4 --set callback=off --set streams=" +
                         std::string(streams) + " --set h2d.memory=" + memory +
                         " --set d2h.memory=" + memory + " -o grid/cell-" + name + ".olab");
                EXPECT_EQ(r.code, 0) << r.err;
            }
    }
    json modelIn(const char* file) const {
        std::ifstream in(m_folder / file);
        return json::parse(in);
    }
};

TEST_F(CalibrateCheck, TheSimulatorPredictsItself) {
    const Result r = olab("calibrate --check grid -o model.json");
    EXPECT_EQ(r.code, 0) << r.out << r.err;
    EXPECT_EQ(r.err, "");
    for (const char* said : {"cell", "pageable3", "streams=4", "predicted: 4 cells", "verdicts agree"})
        EXPECT_THAT(r.out, HasSubstr(said));
    const json checked = modelIn("model.json")["checked"];
    EXPECT_EQ(checked["against"], "simulated");
    EXPECT_EQ(checked["used_runs"], 4);
    EXPECT_EQ(checked["predicted"]["cells"], 4);
    EXPECT_LE(checked["predicted"]["median_error"].get<double>(), 0.10);
    EXPECT_LE(checked["predicted"]["median_error"], checked["predicted"]["max_error"]);
    EXPECT_EQ(checked["scope"]["streams"], json({"1", "2", "3", "4"}));
    EXPECT_EQ(checked["scope"]["callback"], json({"off"}));
}

TEST_F(CalibrateCheck, EveryRunOnTheModelSaysHowFarToTrustIt) {
    ASSERT_EQ(olab("calibrate --check grid -o model.json").code, 0);
    const std::string base = "run --backend sim --set sim.device=file:model.json --set callback=off ";
    const Result like = olab(base + "--set iterations=4 -o kept.olab");
    EXPECT_THAT(like.out, HasSubstr("Runs like this one (pinned copies"));
    EXPECT_THAT(like.out, HasSubstr("simulated runs"));
    const Result other = olab(base + "--set iterations=4 --set kernel.us=100");
    EXPECT_THAT(other.out, HasSubstr("kernel.us=100"));
    EXPECT_THAT(other.out, HasSubstr("accuracy unknown"));
    fs::remove(m_folder / "model.json"); // the recording says it by itself
    const json j = json::parse(olab("analyze --json kept.olab").out);
    EXPECT_GE(j["simulator"]["for_this_run"]["cells"], 2);
    EXPECT_EQ(j["simulator"]["checked"]["against"], "simulated");
    ASSERT_EQ(olab("convert kept.olab copy.olab").code, 0);
    EXPECT_EQ(json::parse(olab("analyze --json copy.olab").out)["simulator"], j["simulator"]);
}

TEST_F(CalibrateCheck, WithFromTheModelIsOfThoseRecordings) {
    ASSERT_EQ(olab("calibrate -o plain.json" + fromAll()).code, 0);
    ASSERT_EQ(olab("calibrate --check grid -o checked.json" + fromAll()).code, 0);
    json plain = modelIn("plain.json"), checked = modelIn("checked.json");
    EXPECT_EQ(checked["checked"]["predicted"]["cells"], 4);
    plain.erase("checked");
    checked.erase("checked");
    EXPECT_EQ(plain, checked);
}

TEST_F(CalibrateCheck, MissingTheBarIsExitCode1) {
    // Pinned copies say nothing of pageable ones.
    fs::remove_all(m_folder / "grid");
    fs::create_directory(m_folder / "grid");
    fs::copy(shipped("default-h200.olab"), m_folder / "grid" / "cell-default.olab");
    fs::copy(shipped("pageable-h200.olab"), m_folder / "grid" / "cell-pageable.olab");
    const Result r = olab("calibrate --check grid -o model.json");
    EXPECT_EQ(r.code, 1) << r.out << r.err;
    EXPECT_EQ(modelIn("model.json")["checked"]["against"], "measured");
    EXPECT_GT(modelIn("model.json")["checked"]["predicted"]["median_error"], 0.10);
}

TEST_F(Calibrate, BadInputIsExitCode2) {
    fs::create_directories(m_folder / "empty");
    fs::create_directories(m_folder / "alike");
    fs::create_directories(m_folder / "broken");
    fs::create_directories(m_folder / "silent");
    fs::copy(shipped("default-h200.olab"), m_folder / "alike" / "cell-a.olab");
    fs::copy(shipped("default-h200.olab"), m_folder / "alike" / "cell-b.olab");
    std::ofstream(m_folder / "broken" / "cell-a.olab") << "no recording";
    fs::copy(shipped("default-h200.olab"), m_folder / "silent" / "cell-a.olab");
    fs::resize_file(m_folder / "silent" / "cell-a.olab",
                    400); // a writer was killed before it said what it ran
    expectUsageError("calibrate --check nowhere", "nowhere");
    expectUsageError("calibrate --check empty", "no recordings cell-*.olab");
    expectUsageError("calibrate --check alike", "too much alike");
    expectUsageError("calibrate --check broken", "cell-a.olab");
    expectUsageError("calibrate --check alike --backend sim", "--backend");
    expectUsageError("calibrate --check alike --keep x", "--keep");
    expectUsageError("calibrate --from nowhere.olab", "nowhere.olab");
    expectUsageError("calibrate --backend abacus", "abacus");
    expectUsageError("calibrate --check", "needs a value");
    expectUsageError("calibrate -o nowhere/model.json" + fromAll(), "nowhere/model.json");
    expectUsageError("run --backend sim --set sim.device=file:broken/cell-a.olab", "not JSON");
    expectUsageError("calibrate --check silent", "cell-a.olab");
}

TEST_F(Calibrate, WithoutAGpuItIsExitCode3) {
    if (json::parse(olab("devices --json").out)["usable"].get<bool>())
        GTEST_SKIP() << "this machine has a GPU";
    const Result r = olab("calibrate");
    EXPECT_EQ(r.code, 3);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("No GPU can be calibrated"));
}

} // namespace
} // namespace olab::test
