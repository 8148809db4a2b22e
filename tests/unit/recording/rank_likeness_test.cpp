// Which recordings are offered as ranks of one run.
#include <olab/recording/rank_likeness.h>

#include <gtest/gtest.h>

namespace olab::recording {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

RankSigns signsOf(std::string name, std::optional<Interval> wall = std::nullopt,
                  std::optional<std::int64_t> rank = std::nullopt, std::string format = "Kineto") {
    return {std::move(name), std::move(format), rank, std::nullopt, wall};
}

constexpr Interval kNow{1'700'000'000'000'000'000, 1'700'000'010'000'000'000};
constexpr Interval kLater{1'700'000'020'000'000'000, 1'700'000'030'000'000'000};
constexpr Interval kMeanwhile{1'700'000'005'000'000'000, 1'700'000'012'000'000'000};

TEST(RankLikeness, RanksThatTheTracesSayAreInTheirOrder) {
    EXPECT_EQ(likelyRanks({signsOf("host_12.77.json", kMeanwhile, 1), signsOf("host_9.3.json", kNow, 0)}),
              (Groups{{1, 0}}));
}

TEST(RankLikeness, ARankInTheNameIsEnoughWhereNoClockSpeaksAgainstIt) {
    EXPECT_EQ(likelyRanks({signsOf("rank0.json"), signsOf("rank1.json"), signsOf("rank10.json")}),
              (Groups{{0, 1, 2}}));
    EXPECT_EQ(likelyRanks({signsOf("rank0.json", kNow), signsOf("rank1.json", kLater)}), Groups{});
}

TEST(RankLikeness, NamesThatDifferInANumberNeedTimesThatOverlap) {
    EXPECT_EQ(likelyRanks({signsOf("run.2.json", kNow), signsOf("run.1.json", kMeanwhile)}),
              (Groups{{1, 0}}));
    EXPECT_EQ(likelyRanks({signsOf("report1.json", kNow), signsOf("report2.json", kLater)}), Groups{});
    EXPECT_EQ(likelyRanks({signsOf("report1.json"), signsOf("report2.json")}), Groups{})
        << "nothing says that they ran together";
    EXPECT_EQ(likelyRanks({signsOf("a1-b1.json", kNow), signsOf("a2-b2.json", kNow)}), Groups{})
        << "two numbers differ";
}

TEST(RankLikeness, UnrelatedFilesAreNoRanks) {
    EXPECT_EQ(likelyRanks({signsOf("bert.json", kNow), signsOf("resnet.json", kNow)}), Groups{});
    EXPECT_EQ(likelyRanks({signsOf("rank0.json", kNow), signsOf("rank1.json", kNow, {}, "nsys")}), Groups{})
        << "of two formats";
    EXPECT_EQ(likelyRanks({signsOf("a.json", kNow, 0), signsOf("b.json", kNow, 0)}), Groups{})
        << "one rank twice";
}

RankSigns tracedSigns(std::string name, Interval wall, std::optional<Ns> switchedOn = std::nullopt) {
    RankSigns signs = signsOf(std::move(name), wall, std::nullopt, "Overlap Lab");
    signs.switchedOn = switchedOn;
    signs.program = signs.name.substr(0, signs.name.find('.'));
    return signs;
}

TEST(RankLikeness, ProcessesThatWereSwitchedOnTogetherAreOneRun) {
    constexpr Ns kOn = kMeanwhile.begin, kAlmost = kOn + 40'000'000, kApart = kOn + 3'000'000'000;
    EXPECT_EQ(likelyRanks({tracedSigns("server.olab", kNow, kOn), tracedSigns("client.olab", kNow, kAlmost)}),
              (Groups{{0, 1}}));
    EXPECT_EQ(likelyRanks({tracedSigns("server.olab", kNow, kOn), tracedSigns("client.olab", kNow, kApart)}),
              Groups{});
    EXPECT_EQ(likelyRanks({tracedSigns("server.olab", kNow), tracedSigns("client.olab", kNow)}), Groups{})
        << "each from its own start";
}

TEST(RankLikeness, ProcessesOfOneProgramAreOneRun) {
    EXPECT_EQ(likelyRanks({tracedSigns("app.olab", kNow), tracedSigns("app.1234.olab", kMeanwhile),
                           tracedSigns("other.olab", kNow)}),
              (Groups{{0, 1}}));
    EXPECT_EQ(likelyRanks({tracedSigns("app.olab", kNow), tracedSigns("app.1234.olab", kLater)}), Groups{});
}

TEST(RankLikeness, RunsOfDifferentTimesAreGroupsOfTheirOwn) {
    EXPECT_EQ(likelyRanks({signsOf("a.json", kNow, 0), signsOf("b.json", kLater, 0),
                           signsOf("c.json", kMeanwhile, 1), signsOf("d.json", kLater, 1)}),
              (Groups{{0, 2}, {1, 3}}));
}

} // namespace
} // namespace olab::recording
