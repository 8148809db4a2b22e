// A pipeline that races, as a script sees it, in each of the runs that the tool effect takes.
#include "cli_fixture.h"

namespace olab::test {
namespace {

constexpr const char* kRace = "run race-other-stream --backend sim-engine --set iterations=2 ";

TEST_F(Cli, ARaceInEveryRunIsCountedAndFailsTheRun) {
    const Result r = olab(kRace);
    EXPECT_EQ(r.code, 4) << r.err;
    EXPECT_THAT(r.out, HasSubstr("RACED. The pipeline raced: "));
    const auto all =
        r.out.find("RACED. The pipeline raced in 10 of 10 runs (5 of 5 traced, 5 of 5 untraced)");
    ASSERT_NE(all, r.out.npos) << r.out;
    EXPECT_GT(all, r.out.find("tool effect 1.")) << "counted when all is known";
    EXPECT_THAT(r.err, HasSubstr("The pipeline raced in 10 of 10 runs"));
}

TEST_F(Cli, ARaceInSeveralRunsIsTheSameAgainFromItsFile) {
    const Result r = olab(std::string(kRace) + "--json -o raced.olab --assert 'overlap(h2d,kernel)>=0'");
    EXPECT_EQ(r.code, 4) << r.err;
    EXPECT_THAT(r.err, HasSubstr("overlap(h2d,kernel)>=0: cannot be judged"));
    json live = json::parse(r.out);
    EXPECT_EQ(live["runs"]["count"], 10);
    EXPECT_EQ(live["runs"]["raced"], 10);
    EXPECT_EQ(live["runs"]["troubled"].size(), 10u);
    EXPECT_TRUE(live["bounds"]["efficiency"].is_null());
    ASSERT_EQ(olab("convert raced.olab copy.olab").code, 0);
    live.erase("source");
    for (const char* file : {"raced.olab", "copy.olab"}) {
        json read = json::parse(olab(std::string("analyze --json ") + file).out);
        read.erase("source");
        EXPECT_EQ(live, read) << file;
    }
    EXPECT_THAT(olab("analyze raced.olab --from 0ms --to 1ms").out, HasSubstr("raced in 10 of 10 runs"))
        << "a part of it is no better";
}

TEST_F(Cli, RepeatsThatRacedAreMarked) {
    const Result r = olab("run race-other-stream --backend sim --set iterations=2 --set repeat=3");
    EXPECT_EQ(r.code, 4) << r.err;
    EXPECT_THAT(r.out, HasSubstr("RACED. The pipeline raced in 3 of 3 runs: "));
    EXPECT_THAT(
        r.out, testing::ContainsRegex("the median run of 3; the others took .* \\(raced\\), .* \\(raced\\)"));
}

TEST_F(Cli, WithoutTroubleTheReportSaysNothingOfTheOtherRuns) {
    const json j = json::parse(olab("run --backend sim-engine --set iterations=2 --json").out);
    EXPECT_FALSE(j.contains("runs"));
    EXPECT_FALSE(j.contains("race"));
}

} // namespace
} // namespace olab::test
