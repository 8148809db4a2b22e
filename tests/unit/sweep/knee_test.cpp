#include "sweep_fixture.h"

#include <olab/sweep/knee.h>
#include <olab/sweep/sweep_document.h>

#include <nlohmann/json.hpp>

namespace olab::sweep {
namespace {

using testing::HasSubstr;

/// Cells with these times, of 24 passes each.
Sweep measuredSweep(const std::string& axis, const std::vector<std::vector<Ns>>& times) {
    Sweep sweep = emptySweep(smallGrid({axis}));
    for (std::size_t i = 0; i < times.size(); ++i) {
        sweep.cells[i].times = times[i];
        sweep.cells[i].passes = 24;
        sweep.cells[i].numbers = CellNumbers{};
        sweep.cells[i].numbers->measured = times[i].front();
        sweep.cells[i].numbers->limiting = "copy_h2d";
        sweep.cells[i].numbers->isLimited = true;
        sweep.cells[i].numbers->limit = 9'700;
    }
    return sweep;
}

TEST(Knee, IsTheFirstValueBeyondWhichNothingIsGained) {
    const Sweep sweep =
        measuredSweep("streams=1,2,3,4,6,8", {{40'000}, {20'000}, {14'000}, {10'000}, {9'900}, {9'950}});
    const Line line = lineThrough(sweep, 0, 0);
    EXPECT_EQ(line.shape, LineShape::Knee);
    EXPECT_EQ(line.knee, 3u);
    EXPECT_DOUBLE_EQ(line.gained, 0.75);
    EXPECT_NEAR(line.beyond, 0.01, 1e-9);
    EXPECT_TRUE(line.measured);
    EXPECT_EQ(line.text, "Beyond streams=4 nothing is gained: the H2D copy engine is the bottleneck (97 % of "
                         "the run). Up to there it gained 75 %.");
}

TEST(Knee, AStepInBetweenThatGainsNothingIsNotTheKnee) {
    const Line line = lineThrough(measuredSweep("streams=1,2,4", {{20'000}, {20'000}, {10'000}}), 0, 0);
    EXPECT_EQ(line.shape, LineShape::Gains);
    EXPECT_THAT(line.text, HasSubstr("no knee"));
}

TEST(Knee, SmallGainsAreNoneWhereRepeatsDifferByMore) {
    const std::vector<std::vector<Ns>> quiet{{10'000, 10'010}, {9'600, 9'610}},
        noisy{{10'000, 10'900}, {9'600, 10'400}};
    EXPECT_EQ(lineThrough(measuredSweep("streams=4,8", quiet), 0, 0).shape, LineShape::Gains);
    const Line line = lineThrough(measuredSweep("streams=4,8", noisy), 0, 0);
    EXPECT_EQ(line.shape, LineShape::Flat);
    EXPECT_GT(line.threshold, 0.08);
}

TEST(Knee, SaysWhatIsLostBeyond) {
    const Line line = lineThrough(measuredSweep("streams=1,2,4", {{20'000}, {10'000}, {13'000}}), 0, 0);
    EXPECT_EQ(line.knee, 1u);
    EXPECT_NEAR(line.lost, 0.3, 1e-9);
    EXPECT_THAT(line.text, HasSubstr("a pass takes up to 30 % longer"));
}

TEST(Knee, SizesAreComparedByTheByteAndOtherWorkNotAtAll) {
    const Line sizes = lineThrough(
        measuredSweep("h2d.bytes+d2h.bytes=1MiB,2MiB,4MiB", {{10'000}, {12'000}, {24'000}}), 0, 0);
    EXPECT_EQ(sizes.shape, LineShape::Knee);
    EXPECT_EQ(sizes.knee, 1u);
    // the copies of the other direction stay as they are: those of 16 MiB and 1 take no longer a byte
    const Line oneOfTwo =
        lineThrough(measuredSweep("h2d.bytes=1MiB,2MiB,4MiB", {{10'000}, {12'000}, {24'000}}), 0, 0);
    EXPECT_EQ(oneOfTwo.shape, LineShape::Flat);
    const Line work = lineThrough(measuredSweep("kernel.us=100,200", {{10'000}, {20'000}}), 0, 0);
    EXPECT_EQ(work.shape, LineShape::OtherWork);
    EXPECT_EQ(bestCell(measuredSweep("kernel.us=100,200", {{10'000}, {20'000}})), std::nullopt);
}

TEST(Knee, APredictionIsNeverCalledMeasured) {
    Sweep sweep = measuredSweep("streams=1,2,4", {{20'000}, {10'000}, {10'000}});
    for (Cell& cell : sweep.cells) {
        cell.predicted = cell.numbers;
        cell.predicted->measured = 5'000;
    }
    sweep.cells[2].times.clear();
    const Line line = lineThrough(sweep, 0, 0);
    EXPECT_FALSE(line.measured);
    EXPECT_EQ(line.shape, LineShape::Flat) << "all of it by predictions, not half and half";
    EXPECT_THAT(line.text, testing::StartsWith("Simulated: "));
    EXPECT_EQ(sweep.state(2), CellState::Simulated);
    EXPECT_EQ(sweep.state(1), CellState::Measured);
}

TEST(SweepDocument, HasEveryCellInBothFormats) {
    Sweep sweep = measuredSweep("streams=1,2,4", {{20'000, 22'000, 21'000}, {10'000}, {1}});
    sweep.cells[1].predicted = sweep.cells[1].numbers;
    sweep.cells[1].predicted->measured = 8'000;
    sweep.cells[2].numbers.reset();
    sweep.cells[2].times.clear();
    const auto json = nlohmann::json::parse(sweepToJson(sweep));
    ASSERT_EQ(json["cells"].size(), 3u);
    EXPECT_EQ(json["cells"][0]["time_ns"], 21'000);
    EXPECT_EQ(json["cells"][0]["highest_ns"], 22'000);
    EXPECT_EQ(json["cells"][0]["at"]["streams"], "1");
    EXPECT_DOUBLE_EQ(json["cells"][1]["off"], 0.25);
    EXPECT_TRUE(json["cells"][2]["time_ns"].is_null());
    EXPECT_EQ(json["cells"][2]["state"], "waiting");
    EXPECT_EQ(json["prediction"]["cells"], 1);
    const std::string csv = sweepToCsv(sweep);
    EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
    const auto commas = [](const std::string& line) { return std::ranges::count(line, ','); };
    std::istringstream lines(csv);
    std::string head, line;
    std::getline(lines, head);
    while (std::getline(lines, line))
        EXPECT_EQ(commas(line), commas(head)) << line;
}

} // namespace
} // namespace olab::sweep
