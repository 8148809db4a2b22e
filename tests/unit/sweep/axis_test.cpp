#include "sweep_fixture.h"

#include <olab/sweep/run_sweep.h>

#include <algorithm>
#include <set>

namespace olab::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusalOf(const std::string& text) {
    try {
        (void)axisFrom(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage) << text;
        return error.what();
    }
    return "";
}

TEST(Axis, ListsAndRangesBecomeValuesInOrder) {
    EXPECT_THAT(axisFrom("streams=8,1,2,2").values, ElementsAre("1", "2", "8"));
    EXPECT_THAT(axisFrom("streams=1..4").values, ElementsAre("1", "2", "3", "4"));
    EXPECT_THAT(axisFrom("streams=1,2..8*2").values, ElementsAre("1", "2", "4", "8"));
    EXPECT_THAT(axisFrom("kernel.us=100..350+100").values, ElementsAre("100", "200", "300"))
        << "not beyond the end";
    const Axis sizes = axisFrom("h2d.bytes=1MiB..8MiB*2");
    EXPECT_THAT(sizes.values, ElementsAre("1MiB", "2MiB", "4MiB", "8MiB"));
    EXPECT_THAT(sizes.numbers, ElementsAre(1 << 20, 2 << 20, 4 << 20, 8 << 20));
    EXPECT_THAT(axisFrom("h2d.bytes=1MiB..2MiB+512KiB").values, ElementsAre("1MiB", "1536KiB", "2MiB"));
    EXPECT_THAT(axisFrom("kernel.threads=32..128*1.5").values, ElementsAre("32", "64", "96"))
        << "a multiple of what the option takes, and always larger";
}

TEST(Axis, WordsStayAsTheyAreGiven) {
    const Axis memory = axisFrom("h2d.memory=pageable,pinned");
    EXPECT_THAT(memory.values, ElementsAre("pageable", "pinned"));
    EXPECT_TRUE(memory.numbers.empty());
    EXPECT_TRUE(axisFrom("kernel.blocks=64,fill:1").numbers.empty());
    EXPECT_EQ(axisFrom("env.max_connections=8,1").numbers, (std::vector<std::int64_t>{1, 8}));
}

TEST(Axis, SeveralOptionsTakeTheSameValue) {
    const Axis axis = axisFrom("h2d.bytes+d2h.bytes=1MiB,4MiB");
    EXPECT_EQ(axis.name(), "h2d.bytes+d2h.bytes");
    EXPECT_EQ(axisFrom(axis.text()), axis);
    const Grid grid = smallGrid({axis.text()});
    EXPECT_EQ(experiment::optionText(experimentOf(grid, 1), "d2h.bytes"), "4MiB");
    EXPECT_EQ(experiment::optionText(experimentOf(grid, 1), "h2d.bytes"), "4MiB");
    EXPECT_THAT(refusalOf("h2d.bytes+streams=4"), HasSubstr("different kinds"));
}

TEST(Axis, KnowsWhatItDoesToTheWork) {
    EXPECT_EQ(axisFrom("streams=1,2").kind, AxisKind::Way);
    EXPECT_EQ(axisFrom("h2d.memory=pinned,pageable").kind, AxisKind::Way);
    EXPECT_EQ(axisFrom("h2d.bytes=1MiB,2MiB").kind, AxisKind::Size);
    EXPECT_EQ(axisFrom("kernel.us=100,200").kind, AxisKind::Work);
    EXPECT_EQ(axisFrom("memset=on,off").kind, AxisKind::Work);
}

TEST(Axis, RefusesWhatIsNone) {
    EXPECT_THAT(refusalOf("streams"), HasSubstr("names no values"));
    EXPECT_THAT(refusalOf("strems=1"), HasSubstr("strems"));
    EXPECT_THAT(refusalOf("streams=0"), HasSubstr("streams"));
    EXPECT_THAT(refusalOf("streams=4..1"), HasSubstr("ends before it begins"));
    EXPECT_THAT(refusalOf("streams=1..8*1"), HasSubstr("factor"));
    EXPECT_THAT(refusalOf("h2d.bytes=1MiB..4MiB"), HasSubstr("step or a factor"));
    EXPECT_THAT(refusalOf("h2d.memory=pinned..pageable"), HasSubstr("not a number"));
    EXPECT_THAT(refusalOf("iterations=1..100000"), HasSubstr("more than 1000"));
    EXPECT_THAT(refusalOf("repeat=1,2"), HasSubstr("repeat"));
    EXPECT_THAT(refusalOf("trace=on,off"), HasSubstr("trace"));
    EXPECT_THAT(refusalOf("kernel.us=0..5*2"), HasSubstr("begins at 0"));
}

TEST(Grid, KeepsTheWorkWhenStreamsVary) {
    Grid grid = smallGrid({"streams=1,2,3,4,5", "kernel.us=100,200"});
    ASSERT_EQ(grid.cells(), 10u);
    for (std::size_t cell = 0; cell < grid.cells(); ++cell)
        EXPECT_NEAR(static_cast<double>(passesOf(experimentOf(grid, cell))), 24, 1) << cellText(grid, cell);
    EXPECT_EQ(cellText(grid, 7), "streams=3, kernel.us=200");
    EXPECT_THAT(grid.line(0, 7), ElementsAre(5, 6, 7, 8, 9));
    EXPECT_THAT(grid.line(1, 7), ElementsAre(2, 7));
    grid.keepsPasses = false;
    EXPECT_EQ(passesOf(experimentOf(grid, 4)), 30);
    const Grid both = smallGrid({"streams=1,2", "iterations=3,4"});
    EXPECT_EQ(passesOf(experimentOf(both, 3)), 8) << "iterations that are varied are not changed";
}

TEST(Grid, RefusesWhatCannotBeSwept) {
    EXPECT_THROW(checkGrid(smallGrid({})), Error);
    EXPECT_THROW(checkGrid(smallGrid({"streams=1,2", "kernel.us=1,2", "h2d.bytes=1MiB"})), Error);
    EXPECT_THROW(checkGrid(smallGrid({"streams=1,2", "streams=3,4"})), Error);
    EXPECT_THROW(checkGrid(smallGrid({"iterations=1..1000", "kernel.us=1..11"})), Error);
    EXPECT_NO_THROW(checkGrid(smallGrid({"iterations=1..1000", "kernel.us=1..10"})));
}

TEST(Grid, KnowsWhatCannotRun) {
    const Sweep sweep = emptySweep(smallGrid({"submit=stream,graph", "sync.every=end,op"}));
    std::size_t impossible = 0;
    for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell)
        impossible += sweep.state(cell) == CellState::Impossible ? 1 : 0;
    EXPECT_GE(impossible, 1u);
    EXPECT_EQ(sweep.state(0), CellState::Waiting);
}

TEST(SweepOrder, RunsEachCellOnceARoundAndEverySecondRoundBackwards) {
    const auto first = roundOrder(36, 0), second = roundOrder(36, 1), third = roundOrder(36, 2);
    EXPECT_EQ(std::set(first.begin(), first.end()).size(), 36u);
    EXPECT_EQ(first, roundOrder(36, 0)) << "the same in every process";
    EXPECT_TRUE(std::ranges::equal(first, std::vector(second.rbegin(), second.rend())));
    EXPECT_NE(first, third);
    EXPECT_FALSE(std::ranges::is_sorted(first)) << "not along an axis";
    EXPECT_TRUE(roundOrder(0, 0).empty());
}

} // namespace
} // namespace olab::sweep
