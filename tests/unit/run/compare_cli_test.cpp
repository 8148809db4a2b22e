// olab compare with several recordings of each side, by the real program.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class CompareCli : public Cli {
protected:
    /// Five recordings of the simulator whose runs differ a little: NAME1.olab, ...
    void recordFive(const std::string& name, const std::string& options = "") const {
        for (int seed = 1; seed <= 5; ++seed)
            ASSERT_EQ(olab("run --backend sim --set iterations=4 --set seed=" + std::to_string(seed) + " " +
                           options + " -o " + name + std::to_string(seed) + ".olab")
                          .code,
                      0);
    }
};

TEST_F(CompareCli, SeveralOfEachSideAreJudgedTogether) {
    recordFive("a");
    recordFive("b", "--set h2d.memory=pageable");
    const Result same = olab("compare a*.olab -- a*.olab --assert 'slower<=3%'");
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_THAT(same.err, HasSubstr("slower<=3%: holds, no difference that can be told from chance ("));
    const Result r =
        olab("compare --assert 'slower<=5%' --assert 'overlap(h2d,kernel)>=@A' a*.olab -- b*.olab");
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.err,
                testing::ContainsRegex("slower<=5%: does not hold, [0-9.]+x slower \\([0-9.]+ to "
                                       "[0-9.]+\\), 5 and 5 recordings: new cause \"pageable memory\""));
    EXPECT_THAT(r.err, HasSubstr("overlap(h2d,kernel)>=@A: does not hold, "));
    EXPECT_THAT(r.out, HasSubstr("A (5 recordings) took "));
    EXPECT_THAT(r.out, HasSubstr("\naccount\n  pageable memory"));
    EXPECT_THAT(r.out, HasSubstr("  new: 26."));
    EXPECT_THAT(r.out, testing::ContainsRegex("\nfindings\n(.*\n)*  pageable: new\n"));
}

TEST_F(CompareCli, TheDifferenceOfTheAccountsAddsUp) {
    recordFive("a");
    recordFive("b", "--set h2d.memory=pageable");
    const json compared = json::parse(olab("compare a*.olab --json -- b*.olab").out);
    EXPECT_EQ(compared["before"]["recordings"], 5);
    EXPECT_EQ(compared["slowdown"]["before_runs"], 5);
    EXPECT_EQ(compared["slowdown"]["by"], "runs");
    EXPECT_GT(compared["slowdown"]["low"], 1.05);
    EXPECT_GE(compared["slowdown"]["coverage"], 0.99);
    EXPECT_THAT(compared["findings"]["new"], testing::Contains("pageable"));
    const json& account = compared["account"];
    std::int64_t change = account["ideal"]["change_ns"].get<std::int64_t>() +
                          account["unexplained"]["change_ns"].get<std::int64_t>();
    for (const json& cause : account["causes"])
        change += cause["change_ns"].get<std::int64_t>();
    EXPECT_EQ(change, account["measured"]["change_ns"]);
    EXPECT_EQ(account["causes"][0]["id"], "pageable");
    EXPECT_EQ(account["causes"][0]["new"], true);
    EXPECT_THAT(account["text"].get<std::string>(), HasSubstr("pageable memory +"));
}

TEST_F(CompareCli, SaysWhichFilesBelongTogetherOrAsks) {
    recordFive("a");
    expectUsageError("compare a1.olab a2.olab a3.olab", "Write -- between the two sides");
    expectUsageError("compare a1.olab a2.olab a3.olab --", "Write -- between the two sides");
    expectUsageError("compare -- a1.olab a2.olab a3.olab", "Write -- between the two sides");
    EXPECT_EQ(olab("compare a1.olab -- a2.olab").code, 0);
    EXPECT_EQ(olab("compare -- a1.olab a2.olab").code, 0);
    ASSERT_EQ(shell("cp a1.olab ./-a1.olab").code, 0);
    EXPECT_EQ(olab("compare -- -a1.olab a2.olab").code, 0) << "as everywhere";
    EXPECT_EQ(olab("compare a1.olab -- -- -a1.olab").code, 0);
    EXPECT_EQ(olab("compare a1.olab -- b1.olab -- a1.olab").code, 2) << "no third side";
    EXPECT_EQ(olab("compare a1.olab -- a2.olab a3.olab").code, 0);
    const Result missing = olab("compare a1.olab -- none.olab");
    EXPECT_EQ(missing.code, 2);
}

TEST_F(CompareCli, OneMeasuredRunOfEachIsInconclusive) {
    const std::string recordings = std::string(OLAB_SOURCE_DIR) + "/resources/recordings/";
    for (const char* name : {"pageable", "default"})
        ASSERT_EQ(olab("convert '" + recordings + name + "-h200.olab' " + name + ".olab --records-only").code,
                  0);
    const Result r = olab("compare pageable.olab default.olab --assert 'slower<=3%'");
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.err, HasSubstr("slower<=3%: inconclusive, "));
    EXPECT_THAT(r.err, HasSubstr("x faster, 1 and 1 recordings; one run of each says nothing about how "
                                 "far runs differ: 5 of each are the fewest that can tell; at least 4 more "
                                 "of each would tell."));
    const Result itself = olab("compare default.olab default.olab --assert 'slower<=3%'");
    EXPECT_EQ(itself.code, 1);
    EXPECT_THAT(itself.err, HasSubstr("slower<=3%: cannot be judged, default.olab stands on both sides"));
}

TEST_F(CompareCli, CopiesOfARecordingCountOnce) {
    ASSERT_EQ(olab("convert '" + std::string(OLAB_SOURCE_DIR) +
                   "/resources/recordings/default-h200.olab' a.olab --records-only")
                  .code,
              0);
    ASSERT_EQ(shell("cp a.olab b.olab && cp a.olab c.olab").code, 0);
    const json compared =
        json::parse(olab("compare a.olab b.olab a.olab ./c.olab a.olab --json -- a.olab").out);
    EXPECT_EQ(compared["before"]["recordings"], 5) << "as they were given";
    EXPECT_EQ(compared["slowdown"]["before_runs"], 1);
    EXPECT_THAT(compared["caution"].get<std::string>(),
                HasSubstr("Of the 5 recordings of A 4 are copies of others: each counts once."));
}

} // namespace
} // namespace olab::test
