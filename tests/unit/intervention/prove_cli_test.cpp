// run --prove, run --controls, fix and compare, by the real program.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class ProveCli : public Cli {};

TEST_F(ProveCli, ProvesWhatItFindsAndSaysWhatItIsWorth) {
    const Result text = olab("run pageable --set iterations=6 --backend sim --prove");
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out,
                HasSubstr("pageable: PREDICTED BY THE SIMULATOR   h2d.memory=pinned, d2h.memory=pinned"));
    EXPECT_THAT(text.out, HasSubstr("pageable (predicted by the simulator, costs"));
    EXPECT_THAT(text.out, HasSubstr("nothing about hardware"));
    const Result made =
        olab("run pageable --set iterations=6 --backend sim --prove=pageable --pairs 7 --json");
    const json report = json::parse(made.out);
    ASSERT_EQ(report["proofs"].size(), 1u);
    const json& proof = report["proofs"][0];
    EXPECT_EQ(proof["finding"], "pageable");
    EXPECT_EQ(proof["status"], "confirmed");
    EXPECT_EQ(proof["runs"], 7);
    EXPECT_EQ(proof["changes"]["h2d.memory"], "pinned");
    EXPECT_LT(proof["measured"]["makespan"]["high_ns"], 0);
    EXPECT_EQ(proof["measured"]["wait"]["after_ns"], 0);
    EXPECT_LT(proof["predicted"]["change"], -0.5);
    EXPECT_EQ(report["findings"][0]["status"], "confirmed");
}

TEST_F(ProveCli, MakespansComeFromUntracedChildrenAndTheRestFromTracedOnes) {
    const Result made = olab("run pageable --set iterations=3 --backend sim-engine --prove --json");
    ASSERT_EQ(made.code, 0) << made.err;
    const json report = json::parse(made.out);
    EXPECT_EQ(report["proofs"][0]["untraced"], true);
    EXPECT_EQ(report["proofs"][0]["measured"]["wait"]["pairs"], 6);
    EXPECT_EQ(report["spread"]["untraced"]["runs"], 5);
}

TEST_F(ProveCli, SaysWhatCannotBeProved) {
    const Result healthy = olab("run best-case --set iterations=4 --backend sim --prove=pageable --json");
    EXPECT_EQ(healthy.code, 0);
    EXPECT_THAT(healthy.err, HasSubstr("Nothing to prove of pageable"));
    EXPECT_FALSE(json::parse(healthy.out).contains("proofs"));
    expectUsageError("run --backend sim --prove=pagable", "There is no finding 'pagable'");
    expectUsageError("run --backend sim --prove --pairs 5", "is not a valid number of pairs");
}

TEST_F(ProveCli, ControlsAreRunAndTold) {
    const Result text = olab("run --backend sim --set iterations=4 --controls");
    EXPECT_THAT(text.out, HasSubstr("The controls hold: "));
    const Result made = olab("run --backend sim --set iterations=4 --controls --json");
    const json report = json::parse(made.out);
    EXPECT_EQ(report["controls"]["hold"], true);
    EXPECT_EQ(report["controls"]["must_not_overlap"]["overlap_ns"], 0);
}

TEST_F(ProveCli, ProofsAndControlsAreStillThereWhenTheFileIsOpenedAgain) {
    const Result made =
        olab("run pageable --set iterations=6 --backend sim --controls --prove --json -o kept.olab");
    ASSERT_EQ(made.code, 0) << made.err;
    const json before = json::parse(made.out), after = json::parse(olab("analyze kept.olab --json").out);
    EXPECT_EQ(after["proofs"], before["proofs"]);
    EXPECT_EQ(after["controls"], before["controls"]);
    EXPECT_EQ(after["findings"][0]["status"], "confirmed");
    EXPECT_EQ(after["findings"], before["findings"]);
    const std::string text = olab("analyze kept.olab").out;
    EXPECT_THAT(text,
                HasSubstr("pageable: PREDICTED BY THE SIMULATOR   d2h.memory=pinned, h2d.memory=pinned"));
    EXPECT_THAT(text, HasSubstr("The controls hold: "));
    ASSERT_EQ(olab("convert kept.olab again.olab").code, 0);
    EXPECT_EQ(json::parse(olab("analyze again.olab --json").out)["proofs"], before["proofs"]);
    EXPECT_FALSE(json::parse(olab("analyze kept.olab --to 1ms --json").out).contains("proofs"))
        << "of a part of the run nothing was proved";
}

TEST_F(ProveCli, TheFixCanBeRun) {
    const Result made = olab("fix null-stream --set iterations=6 --backend sim --json -o best.json");
    ASSERT_EQ(made.code, 0) << made.err;
    const json fix = json::parse(made.out);
    EXPECT_EQ(fix["best"]["set"], "--set stream.kind=nonblocking");
    EXPECT_EQ(fix["best"]["faster"], true);
    EXPECT_EQ(fix["experiment"]["stream.kind"], "nonblocking");
    const Result run = olab("run best.json --backend sim --json");
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["experiment"]["stream.kind"], "nonblocking");
    const Result text = olab("fix null-stream --set iterations=6 --backend sim");
    EXPECT_THAT(text.out, HasSubstr("The best found is stream.kind=nonblocking"));
    EXPECT_THAT(text.out, HasSubstr(" --set stream.kind=nonblocking\n"));
}

TEST_F(ProveCli, ComparesAndAsserts) {
    for (const char* run : {"-o a.olab", "--set seed=2 -o b.olab", "--set h2d.memory=pageable -o c.olab"})
        ASSERT_EQ(olab(std::string("run --backend sim --set iterations=4 --set repeat=3 ") + run).code, 0);
    const Result other = olab("compare a.olab b.olab --assert 'slower<=5%'"), // of another seed
        same = olab("compare a.olab a.olab --assert 'slower<=5%'");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr("slower<=5%: inconclusive, as long, 1 and 1 traced runs; "));
    EXPECT_EQ(same.code, 0) << same.err;
    const Result slower = olab("compare a.olab c.olab --json --assert 'slower<=5%'");
    EXPECT_EQ(slower.code, 1);
    EXPECT_THAT(slower.err, HasSubstr("slower<=5%: does not hold"));
    const json compared = json::parse(slower.out);
    EXPECT_EQ(compared["beyond_spread"], json()) << "repeats of the simulator are all the same";
    EXPECT_EQ(compared["before"]["spread"], json());
    EXPECT_EQ(compared["options"]["h2d.memory"]["after"], "pageable");
    EXPECT_GT(compared["ratio"], 1.5);
    EXPECT_EQ(olab("compare a.olab c.olab --assert 'overlap(h2d,kernel)>=@A'").code, 1);
    EXPECT_EQ(olab("compare a.olab a.olab --assert 'overlap(h2d,kernel)>=@A'").code, 0);
    expectUsageError("compare a.olab", "Something is missing");
    expectUsageError("compare a.olab b.olab --assert 'slower=1'", "slower");
}

} // namespace
} // namespace olab::test
