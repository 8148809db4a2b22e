// `olab claims`, the real program without a GPU.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class ClaimsCli : public Cli {};

TEST_F(ClaimsCli, ListsWhatIsClaimed) {
    for (const char* words : {"claims --list", "claims list"}) {
        const Result r = olab(words);
        EXPECT_EQ(r.code, 0) << r.err;
        EXPECT_THAT(r.out,
                    HasSubstr("001-9  FALSE  cudaGetLastError() after a launch waits for the kernel."));
        EXPECT_THAT(r.out, HasSubstr("004-18"));
    }
    EXPECT_THAT(olab("claims --list 003-8").out, testing::Not(HasSubstr("001-9")));
}

TEST_F(ClaimsCli, SimulatesWhatOptionsCanExpress) {
    const Result r = olab("claims 001-7 --backend sim --json");
    EXPECT_EQ(r.code, 0) << r.err;
    const json results = json::parse(r.out);
    EXPECT_EQ(results.at("source"), "simulated");
    EXPECT_EQ(results.at("claims").at(0).at("measured"), "refuted");
    EXPECT_EQ(results.at("claims").at(0).at("agrees"), true);
}

TEST_F(ClaimsCli, KeepsResultsAndRecordings) {
    const Result r = olab("claims E13 --backend sim -o kept");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(fs::exists(m_folder / "kept" / "claims.json"));
    EXPECT_TRUE(fs::exists(m_folder / "kept" / "E13.one.olab"));
    EXPECT_EQ(olab("analyze kept/E13.one.olab").code, 0);
    EXPECT_THAT(r.out, HasSubstr("001-7   FALSE     refuted"));
    EXPECT_THAT(r.out, HasSubstr("simulated on NVIDIA H200 (simulated)"));
}

TEST_F(ClaimsCli, RefusesWhatItDoesNotKnow) {
    expectUsageError("claims 009-1", "is no claim, experiment or source text");
    expectUsageError("claims 001-9 --backend tea", "There is no backend");
    expectUsageError("claims 001-9 --backend sim --repeat 0", "from 1 to 100");
}

TEST_F(ClaimsCli, TheTableOfCallsNeedsAGpu) {
    const Result r = olab("claims --calls --backend sim");
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("There is no table of calls"));
}

} // namespace
} // namespace olab::test
