// olab sweep, by the real program.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class SweepCli : public Cli {
protected:
    /// The simulator in child processes, as a GPU runs.
    Result measured(const std::string& arguments) const {
        return olab("sweep --backend sim-engine --set iterations=4 --vary streams=1,2,4 -o s " + arguments);
    }
    std::size_t lines() const {
        std::ifstream in(m_folder / "s/runs.jsonl");
        return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
    }
};

TEST_F(SweepCli, WithoutAGpuTheMapIsSimulatedAndSaysSo) {
    const Result r = olab("sweep --backend sim --vary streams=1,2,4,8 --vary 'kernel.us=100..400*2'");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("12 cells, 0 measured   [SIMULATED]"));
    EXPECT_THAT(r.out, HasSubstr("Simulated: Beyond streams="));
    const json all =
        json::parse(olab("sweep --backend sim --json --vary streams=1,2,4,8 --vary kernel.us=100,400").out);
    EXPECT_TRUE(all["simulated"]);
    ASSERT_EQ(all["cells"].size(), 8u);
    for (const json& cell : all["cells"]) {
        EXPECT_EQ(cell["state"], "simulated");
        EXPECT_TRUE(cell["times_ns"].empty());
        EXPECT_GT(cell["predicted_ns"], 0);
    }
}

TEST_F(SweepCli, KeepsGoesOnAndAddsRepeats) {
    ASSERT_EQ(measured("--keep").code, 0);
    EXPECT_EQ(lines(), 6u) << "an untraced and a traced run of each cell";
    const json first = json::parse(olab("sweep s --json").out);
    EXPECT_EQ(lines(), 6u) << "without the machine it only shows";
    EXPECT_EQ(first["machine"], "the simulator in child processes");
    const json more = json::parse(olab("sweep s --backend sim-engine --repeat 3 --json").out);
    EXPECT_EQ(lines(), 12u);
    for (const json& cell : more["cells"]) {
        EXPECT_EQ(cell["times_ns"].size(), 3u);
        EXPECT_EQ(cell["state"], "simulated") << "never measured, whatever process it ran in";
        EXPECT_EQ(olab("analyze '" + std::string(cell["file"]) + "' --json").code, 0);
    }
    EXPECT_EQ(measured("").code, 0);
    EXPECT_EQ(lines(), 12u);
}

TEST_F(SweepCli, GoesOnAfterItWasKilled) {
    const std::string sweep =
        std::string("'") + OLAB_PROGRAM +
        "' sweep --backend sim-engine --set iterations=4 --vary streams=1..12 --repeat 4 -o s";
    shell(sweep +
          " >out & p=$!; until [ $(wc -l < s/runs.jsonl 2>/dev/null || echo 0) -ge 5 ]; do sleep 0.01; "
          "done; kill -9 $p; wait $p 2>/dev/null; true");
    const std::size_t before = lines();
    EXPECT_GE(before, 5u);
    EXPECT_LT(before, 60u) << "it was killed before its end";
    const Result r = shell(sweep + " --json");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(lines(), 60u) << "48 untraced and 12 traced runs, none of them twice";
    const json told = json::parse(r.out);
    for (const json& cell : told["cells"])
        EXPECT_EQ(cell["times_ns"].size(), 4u);
}

TEST_F(SweepCli, SearchesForTheBest) {
    const Result r = olab("sweep --backend sim --vary streams=1..16 --best --json");
    const json best = json::parse(r.out)["best"];
    EXPECT_LT(best["cells"], 16);
    EXPECT_THAT(std::string(best["text"]), HasSubstr("Simulated: best is streams="));
    EXPECT_EQ(olab("sweep --backend sim --vary h2d.bytes=1MiB,2MiB --best").code, 2);
}

TEST_F(SweepCli, PipesInItsFolderHangNothing) {
    for (const char* name : {"sweep.json", "runs.jsonl"}) {
        const Result r = shell(
            "rm -rf s; mkdir s; touch s/runs.jsonl; rm -f s/" + std::string(name) + "; mkfifo s/" + name +
            "; timeout -k 1 60 '" OLAB_PROGRAM "' sweep default --backend sim --vary streams=1,2 -o s");
        EXPECT_EQ(r.code, 2) << name << r.err;
        EXPECT_THAT(r.err, HasSubstr(name));
    }
}

TEST_F(SweepCli, RefusesWhatCannotBeSwept) {
    expectUsageError("sweep --backend sim", "nothing to vary");
    expectUsageError("sweep --vary streams", "names no values");
    expectUsageError("sweep --vary streams=1,x", "streams");
    expectUsageError("sweep --vary streams=1,2 --repeat 0", "not a valid number of repeats");
    expectUsageError("sweep --vary streams=1,2 --keep", "needs a folder");
    expectUsageError("sweep --vary streams=1,2 --csv --json", "two formats");
    expectUsageError("sweep --vary streams=1,2 --figure speed", "no figure");
    expectUsageError("sweep nonsense --vary streams=1,2", "neither a preset nor a file");
    ASSERT_EQ(measured("").code, 0);
    expectUsageError("sweep s --vary streams=1,2", "says what is swept");
}

} // namespace
} // namespace olab::test
