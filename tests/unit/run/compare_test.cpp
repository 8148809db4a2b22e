// The spread of runs beside every comparison, kept in files, and the assertion that knows it.
#include <olab/io/comparison_report.h>
#include <olab/run/intervention.h>
#include <olab/run/temporary_folder.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

RecordingPtr repeated(int repeat, std::string_view memory = "pinned", std::int64_t seed = 1) {
    HeldExperiment experiment;
    setOption(experiment, "iterations=4");
    setNumber(experiment, "repeat", repeat);
    setOption(experiment, "h2d.memory", memory);
    setNumber(experiment, "seed", seed);
    SimBackend simulator;
    return runExperiment(experiment, {&simulator, nullptr}, "run", {});
}

/// Two runs with these times, and nothing else.
Comparison compared(const RunTimes& before, const RunTimes& after) {
    static const RecordingPtr run = repeated(1);
    ComparedRun a = comparedRun(*run), b = comparedRun(*run);
    a.times = &before;
    b.times = &after;
    return compare(a, b);
}

bool holds(const Comparison& comparison, std::string_view expression) {
    static const Report none;
    const Judged judged{none, "{}"};
    return checkComparison(comparison, judged, judged, expression).passed;
}

TEST(RunTimes, OfAllRunsComeBackFromTheFile) {
    const RecordingPtr run = repeated(3);
    ASSERT_THAT(run->times.traced, SizeIs(3));
    const TemporaryFolder folder;
    saveRecording(*run, folder.path() / "run.olab");
    EXPECT_EQ(openRecording(folder.path() / "run.olab")->times, run->times);
    EXPECT_TRUE(repeated(1)->times.empty()) << "of one run there is no spread";
}

TEST(Compare, UntracedRunsSayMoreThanTracedOnes) {
    const Comparison found = compared({{100, 110}, {90, 95}}, {{100, 110}, {180, 200}});
    EXPECT_TRUE(found.untracedSpread);
    EXPECT_EQ(found.spreadBefore, (Spread{92, 90, 95, 2}));
    EXPECT_TRUE(found.isBeyondSpread());
    EXPECT_THAT(found.spread, HasSubstr("beyond the spread"));
    const Comparison traced = compared({{100, 110}, {90}}, {{105, 115}, {180}});
    EXPECT_FALSE(traced.untracedSpread);
    EXPECT_FALSE(traced.isBeyondSpread());
    EXPECT_THAT(compared({}, {}).spread, HasSubstr("repeat=5"));
}

TEST(Slower, HoldsUnlessItIsSlowerBeyondTheSpread) {
    EXPECT_TRUE(holds(compared({{100, 101}, {}}, {{103, 104}, {}}), "slower<=5%")) << "3 % slower";
    EXPECT_FALSE(holds(compared({{100, 101}, {}}, {{110, 112}, {}}), "slower<=5%")) << "10 %, beyond";
    EXPECT_TRUE(holds(compared({{100, 115}, {}}, {{110, 140}, {}}), "slower<=5%")) << "within the spread";
    EXPECT_TRUE(holds(compared({{100, 101}, {}}, {{50, 51}, {}}), "slower <= 0.05")) << "faster";
    EXPECT_TRUE(holds(compared({}, {}), "slower<=5%")) << "one run each, as long as each other";
    EXPECT_FALSE(holds(compared({}, {}), "slower<0"));
}

TEST(Slower, FailsClosedAndRefusesWhatItCannotRead) {
    Comparison raced = compared({{100, 101}, {}}, {{50, 51}, {}});
    raced.obstacle = "B raced.";
    EXPECT_FALSE(holds(raced, "slower<=5%"));
    const Comparison fine = compared({}, {});
    for (const char* wrong : {"slower>=5%", "slower<=", "slower<=five", "slower<=nan", "slower==1"})
        EXPECT_THROW(holds(fine, wrong), Error) << wrong;
}

TEST(Compare, MuchSlowerIsSaidInTimes) {
    const RecordingPtr fast = repeated(1), slow = repeated(1, "pageable");
    const Comparison found = compare(comparedRun(*fast), comparedRun(*slow));
    EXPECT_THAT(found.headline, HasSubstr("times as long."));
    EXPECT_EQ(found.headline.find('%'), std::string::npos);
}

} // namespace
} // namespace olab
