// Cells that processes of their own measured are taken into a sweep: nothing is lost, nothing is there twice.
#include <olab/sweep/cell_folder.h>
#include <olab/trace/temporary_folder.h>

#include <fstream>
#include <gtest/gtest.h>
#include <memory>

namespace olab::sweep {
namespace {

namespace fs = std::filesystem;

class CellFolder : public testing::Test {
protected:
    CellFolder() {
        m_grid.base = experiment::HeldExperiment{"iterations=2"};
        m_grid.title = "test";
        m_grid.axes.push_back(axisFrom("streams=1,2,4"));
    }
    RunLine timed(std::size_t cell, Ns time) const {
        RunLine line;
        line.cell = cellDigest(experimentOf(m_grid, cell));
        line.time = time;
        return line;
    }
    RunLine report(std::size_t cell) const {
        RunLine line = timed(cell, 1);
        line.traced = true;
        line.counts = false;
        line.numbers = CellNumbers();
        return line;
    }
    std::vector<Ns> timesOf(const SweepStore& in, std::size_t cell) const {
        Sweep sweep = emptySweep(m_grid);
        fillFrom(sweep, in.lines(), in.folder());
        return sweep.cells[cell].times;
    }
    fs::path cellPath(std::size_t cell) const { return cellFolder(m_folder.path() / "sweep", m_grid, cell); }
    static constexpr int kRepeats = 3;
    Grid m_grid;
    TemporaryFolder m_folder;
};

TEST_F(CellFolder, TakesEachRunOnceHoweverOftenItIsCollected) {
    std::unique_ptr<SweepStore> main = std::make_unique<SweepStore>(m_folder.path() / "sweep", "");
    main->describe(m_grid, kRepeats);
    main->add(timed(1, 100));
    prepareCell(*main, m_grid, kRepeats, 1);
    {
        SweepStore task(cellPath(1), "a GPU");
        ASSERT_EQ(task.lines().size(), 1u) << "what was measured is not measured again";
        task.describe(m_grid, kRepeats);
        for (const Ns time : {200, 300})
            task.add(timed(1, time));
        task.add(report(1));
    }
    EXPECT_EQ(machineOfCell(m_folder.path() / "sweep", m_grid, 1), "a GPU");
    const fs::path copy = m_folder.path() / "copy";
    fs::copy(cellPath(1), copy);
    collectCell(*main, m_grid, kRepeats, 1);
    EXPECT_EQ(timesOf(*main, 1), (std::vector<Ns>{100, 200, 300}));
    EXPECT_FALSE(fs::exists(cellPath(1)));
    fs::create_directories(cellPath(1).parent_path());
    fs::copy(copy, cellPath(1)); // as if the folder could not be removed
    collectCell(*main, m_grid, kRepeats, 1);
    EXPECT_EQ(main->lines().size(), 4u);
}

TEST_F(CellFolder, ACollectionThatStoppedInTheMiddleGoesOn) {
    SweepStore main(m_folder.path() / "sweep", "");
    main.describe(m_grid, kRepeats);
    prepareCell(main, m_grid, kRepeats, 0);
    {
        SweepStore task(cellPath(0), "a GPU");
        for (const Ns time : {1, 2, 3})
            task.add(timed(0, time));
        task.add(report(0));
    }
    main.add(timed(0, 1)); // the first line had been taken
    collectCell(main, m_grid, kRepeats, 0);
    EXPECT_EQ(timesOf(main, 0), (std::vector<Ns>{1, 2, 3}));
    EXPECT_EQ(main.lines().size(), 4u);
}

TEST_F(CellFolder, MoreRunsThanAreWantedDoNotGetIn) {
    SweepStore main(m_folder.path() / "sweep", "");
    main.describe(m_grid, kRepeats);
    {
        SweepStore task(cellPath(2), "a GPU"); // of two processes at once, by accident
        task.describe(m_grid, kRepeats);
        for (const Ns time : {1, 2, 3, 4, 5})
            task.add(timed(2, time));
        task.add(report(2));
        task.add(report(2));
    }
    collectCell(main, m_grid, kRepeats, 2);
    EXPECT_EQ(timesOf(main, 2).size(), 3u);
    EXPECT_EQ(main.lines().size(), 4u);
}

TEST_F(CellFolder, ALineThatIsNotWholeIsNoResult) {
    SweepStore main(m_folder.path() / "sweep", "");
    main.describe(m_grid, kRepeats);
    prepareCell(main, m_grid, kRepeats, 0);
    {
        SweepStore task(cellPath(0), "a GPU");
        task.add(timed(0, 7));
    }
    std::ofstream(cellPath(0) / "runs.jsonl", std::ios::app)
        << "{\"cell\":\"" << timed(0, 1).cell << "\",\"time_ns\":9";
    collectCell(main, m_grid, kRepeats, 0);
    EXPECT_EQ(timesOf(main, 0), std::vector<Ns>{7});
    Sweep sweep = emptySweep(m_grid);
    fillFrom(sweep, main.lines(), main.folder());
    EXPECT_FALSE(isComplete(sweep, 0, kRepeats));
}

TEST_F(CellFolder, KeptRecordingsMoveAlong) {
    SweepStore main(m_folder.path() / "sweep", "");
    main.describe(m_grid, kRepeats);
    prepareCell(main, m_grid, kRepeats, 0);
    RunLine line = report(0);
    line.file = "cell-kept.olab";
    {
        SweepStore task(cellPath(0), "a GPU");
        task.add(line);
    }
    std::ofstream(cellPath(0) / line.file) << "recording";
    collectCell(main, m_grid, kRepeats, 0);
    EXPECT_TRUE(fs::exists(main.folder() / line.file));
}

} // namespace
} // namespace olab::sweep
