#include "sweep_fixture.h"

#include <olab/sweep/find_best.h>
#include <olab/sweep/knee.h>

#include <algorithm>
#include <map>

namespace olab::sweep {
namespace {

using testing::Each;

std::vector<std::size_t> runsOf(const Sweep& sweep) {
    std::vector<std::size_t> counts;
    for (const Cell& cell : sweep.cells)
        counts.push_back(cell.times.size());
    return counts;
}

TEST(Predict, FillsEveryCellWithTheSimulatorsNumbers) {
    sim::SimBackend simulator;
    Sweep sweep = emptySweep(smallGrid({"streams=1,2,4", "kernel.us=100,400"}));
    std::size_t told = 0;
    predict(sweep, {&simulator, "h200", "Predicted."}, {}, {[&](const Sweep&, std::size_t) { ++told; }});
    EXPECT_EQ(told, 6u);
    EXPECT_EQ(sweep.measured(), 0u);
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        EXPECT_EQ(sweep.state(i), CellState::Simulated);
        ASSERT_TRUE(sweep.cells[i].predicted);
        const auto run = recording::runExperiment(experimentOf(sweep.grid, i), {&simulator, nullptr}, "", {});
        EXPECT_EQ(sweep.cells[i].predicted->measured, run->report.bounds.measured) << "as olab run";
        EXPECT_EQ(sweep.cells[i].predicted->limiting, run->report.bounds.limiting);
    }
    EXPECT_EQ(lineThrough(sweep, 0, 0).measured, false);
}

TEST(Measure, RunsUntracedRepeatsAndOneTracedRunOfEachCell) {
    CountingBackend traced, plain;
    Sweep sweep = emptySweep(smallGrid({"streams=1,2", "kernel.us=100,200"}));
    const MeasureOptions options{.repeats = 3, .machine = "test"};
    EXPECT_EQ(runsLeft(sweep, {&traced, &plain}, options), 16u);
    measure(sweep, {&traced, &plain}, nullptr, options, {});
    EXPECT_EQ(plain.experiments.size(), 12u);
    EXPECT_EQ(traced.experiments.size(), 4u);
    EXPECT_THAT(runsOf(sweep), Each(3u));
    EXPECT_TRUE(sweep.untraced);
    EXPECT_TRUE(sweep.simulated) << "by the simulator, in whatever process";
    EXPECT_EQ(sweep.state(0), CellState::Simulated);
    for (const Cell& cell : sweep.cells)
        EXPECT_TRUE(cell.numbers && cell.numbers->hasAccount);
    EXPECT_EQ(runsLeft(sweep, {&traced, &plain}, options), 0u);
    measure(sweep, {&traced, &plain}, nullptr, options, {});
    EXPECT_EQ(plain.experiments.size(), 12u) << "what is there is not run again";
}

TEST(Measure, NoCellRunsTwiceBeforeAllRanOnce) {
    CountingBackend traced;
    Grid grid = smallGrid({"streams=1,2,4"});
    experiment::setOption(grid.base, "trace=on");
    Sweep sweep = emptySweep(grid);
    measure(sweep, {&traced, nullptr}, nullptr, {.repeats = 2}, {});
    ASSERT_EQ(traced.experiments.size(), 6u);
    std::map<std::string, int> firstRound;
    for (std::size_t i = 0; i < 3; ++i) {
        ++firstRound[experiment::optionText(traced.experiments[i], "streams")];
        EXPECT_EQ(experiment::optionText(traced.experiments[i], "seed"), "1");
        EXPECT_EQ(experiment::optionText(traced.experiments[i + 3], "seed"), "2");
        EXPECT_EQ(experiment::optionText(traced.experiments[i], "streams"),
                  experiment::optionText(traced.experiments[5 - i], "streams"))
            << "backwards";
    }
    EXPECT_EQ(firstRound.size(), 3u);
    EXPECT_FALSE(sweep.untraced);
}

TEST(Measure, ACellThatFailsIsNotedAndTheOthersGoOn) {
    CountingBackend traced;
    traced.failsWithThreads = "64";
    Grid grid = smallGrid({"kernel.threads=32,64,128"});
    Sweep sweep = emptySweep(grid);
    measure(sweep, {&traced, nullptr}, nullptr, {.repeats = 2}, {});
    EXPECT_EQ(runsOf(sweep), (std::vector<std::size_t>{2, 0, 2}));
    EXPECT_EQ(sweep.state(1), CellState::Failed);
    EXPECT_EQ(sweep.cells[1].failed, "The kernel failed.");
    EXPECT_EQ(traced.experiments.size(), 5u) << "it is tried once";
    traced.failsWithThreads.clear();
    measure(sweep, {&traced, nullptr}, nullptr, {.repeats = 2, .triesFailedAgain = true}, {});
    EXPECT_EQ(runsOf(sweep), (std::vector<std::size_t>{2, 2, 2}));
}

TEST(FindBest, FindsTheBestCellWithFewRunsAndSaysHowMany) {
    CountingBackend traced;
    Sweep sweep = emptySweep(smallGrid({"streams=1..16", "h2d.memory=pageable,pinned"}));
    const BestFound found = findBest(sweep, {&traced, nullptr}, nullptr, {}, {});
    ASSERT_TRUE(found.best && found.next && found.distance);
    EXPECT_EQ(sweep.grid.axes[1].values[sweep.grid.at(*found.best)[1]], "pinned");
    EXPECT_LT(traced.experiments.size(), sweep.cells.size());
    EXPECT_EQ(found.cells, traced.experiments.size());
    EXPECT_THAT(found.text, testing::HasSubstr(std::to_string(found.cells) + " of 32 cells ran"));
    Sweep all = emptySweep(sweep.grid);
    measure(all, {&traced, nullptr}, nullptr, {}, {});
    const Cell& truly = all.cells[*bestCell(all)];
    const auto perPass = [](const Cell& cell) {
        return static_cast<double>(*cell.time()) / static_cast<double>(cell.passes);
    };
    EXPECT_LT(perPass(sweep.cells[*found.best]), 1.03 * perPass(truly)) << "about as good as measuring all";
}

TEST(FindBest, TheBestFewRunInTurnsAndTheIntervalSaysHowSureItIs) {
    CountingBackend traced, plain;
    Sweep sweep = emptySweep(smallGrid({"streams=1..4", "h2d.memory=pageable,pinned"}));
    const BestFound found = findBest(sweep, {&traced, &plain}, nullptr, {}, {});
    ASSERT_TRUE(found.best && found.next && found.distance);
    EXPECT_FALSE(found.isExact);
    EXPECT_EQ(plain.experiments.size(), found.cells + 3 * comparison::kFewestRunPairs);
    EXPECT_EQ(traced.experiments.size(), found.cells) << "one account of each";
    EXPECT_EQ(sweep.cells[*found.best].times.size(), 1 + comparison::kFewestRunPairs);
    EXPECT_EQ(found.distance->basis, comparison::SlowdownBasis::Pairs);
    EXPECT_EQ(cellText(sweep.grid, *found.best), "streams=4, h2d.memory=pinned");
    EXPECT_EQ(cellText(sweep.grid, *found.next), "streams=3, h2d.memory=pinned");
    EXPECT_TRUE(found.isSure) << found.text;
    EXPECT_GT(*found.distance->low, 1);
    EXPECT_THAT(found.text, testing::HasSubstr("sure to 99 % that this one is faster"));
}

TEST(FindBest, RefusesCellsOfDifferentWork) {
    CountingBackend traced;
    Sweep sweep = emptySweep(smallGrid({"h2d.bytes=1MiB,2MiB"}));
    EXPECT_THROW(findBest(sweep, {&traced, nullptr}, nullptr, {}, {}), Error);
}

} // namespace
} // namespace olab::sweep
