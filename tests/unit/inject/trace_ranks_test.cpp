// Several ranks of one step, as srun starts them: what is merged is of this start.
#include "trace_fixture.h"

namespace olab::test {
namespace {

using testing::AllOf;
using testing::Not;

class TraceRanks : public TraceCli {
protected:
    /// `words`: what each rank's program is to do; $r is its rank.
    Result step(const std::vector<std::string>& words, const std::string& before = "") const {
        std::string all = before +
                          "export OLAB_CUPTI='" STREAM_CUPTI "' SLURM_JOB_ID=77 SLURM_STEP_ID=0 "
                          "SLURM_STEP_NUM_TASKS=" +
                          std::to_string(words.size()) + "; ";
        for (std::size_t rank = 0; rank < words.size(); ++rank)
            all += "SLURM_PROCID=" + std::to_string(rank) +
                   " timeout 100 '" OLAB_PROGRAM "' trace -o run.olab --no-analysis -- " + words[rank] +
                   " & ";
        return shell(all + "wait");
    }
    bool isMeetingLeft() const {
        for (const auto& entry : fs::directory_iterator(m_folder))
            if (entry.path().filename().string().starts_with(".olab-77.0-"))
                return true;
        return false;
    }
    std::vector<std::string> merged() const {
        std::vector<std::string> names;
        const json report = json::parse(olab("analyze --json run.olab").out);
        for (const auto& rank : report["ranks"])
            names.push_back(rank["name"]);
        return names;
    }
};

TEST_F(TraceRanks, AreMerged) {
    const std::string words = program("cuda wall calls:20");
    const Result r = step({words, words, words});
    EXPECT_THAT(r.err, HasSubstr("merged 3 of 3 ranks")) << r.err;
    EXPECT_EQ(merged(), (std::vector<std::string>{"rank 0", "rank 1", "rank 2"}));
    EXPECT_FALSE(isMeetingLeft());
}

/// An older run left files of the same names.
TEST_F(TraceRanks, ARankThatRecordsNothingIsNotReplacedByAnOlderFile) {
    const std::string words = program("cuda wall calls:20");
    ASSERT_THAT(step({words, words, words}).err, HasSubstr("merged 3 of 3 ranks"));
    const Result r = step({words, program("say:x"), "./no-such-program"});
    EXPECT_THAT(r.err, AllOf(HasSubstr("rank 1: Nothing was recorded: the program did not use CUDA"),
                             HasSubstr("rank 2: There is no program './no-such-program'"),
                             HasSubstr("nothing is merged into"), HasSubstr("1 of 3 ranks recorded")));
    const Result two = step({"./no-such-program", words, words});
    EXPECT_THAT(two.err, AllOf(HasSubstr("rank 0: There is no program"), HasSubstr("merged 2 of 3 ranks")));
    EXPECT_EQ(merged(), (std::vector<std::string>{"rank 1", "rank 2"}));
}

/// As a start that was killed leaves it.
TEST_F(TraceRanks, ALeftOverFolderIsNobodysMeeting) {
    const std::string words = program("cuda wall calls:20");
    const Result r = step({words, words}, "mkdir -m 700 .olab-77.0-aaaaaa; echo '1-1 none' "
                                          ">.olab-77.0-aaaaaa/1.here; printf '1\\n1-1 none\\n' "
                                          ">.olab-77.0-aaaaaa/start; ");
    EXPECT_THAT(r.err, AllOf(HasSubstr("merged 2 of 2 ranks"), Not(HasSubstr("did not come"))));
    EXPECT_FALSE(isMeetingLeft());
}

TEST_F(TraceRanks, AnotherUsersFolderAndLinksAreLeftAlone) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs two users";
    const std::string words = program("cuda wall calls:20");
    for (const char* mode : {"777", "1777"}) {
        const Result r = step({words, words}, std::string("chmod ") + mode +
                                                  " .; echo precious >precious; for f in .olab-77.0 "
                                                  ".olab-77.0-aaaaaa; do mkdir $f; for n in 0.here "
                                                  "1.here start 0.done; do ln -s $PWD/precious $f/$n; "
                                                  "ln -s $PWD/precious $f/$n.new; done; "
                                                  "done; chown -Rh nobody .olab-77.0*; ");
        EXPECT_THAT(r.err, HasSubstr("merged 2 of 2 ranks")) << mode;
        EXPECT_EQ(shell("cat precious; rm -rf .olab-77.0*").out, "precious\n") << mode;
    }
}

TEST_F(TraceRanks, TheRecordingsAreNoLinksOfAnotherUser) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs two users";
    const std::string words = program("cuda wall calls:20");
    const Result r = step({words, words}, "echo precious >precious; ln -s precious run.rank1.olab; "
                                          "chown -h nobody run.rank1.olab; ");
    EXPECT_THAT(r.err, HasSubstr("rank 1: Cannot write"));
    EXPECT_EQ(shell("cat precious").out, "precious\n");
}

} // namespace
} // namespace olab::test
