#include "sweep_fixture.h"

#include <fstream>
#include <sstream>

namespace olab::sweep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string contentOf(const fs::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string refusalOf(const fs::path& folder, const std::string& machine) {
    try {
        SweepStore store(folder, machine);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        return error.code();
    }
    return "";
}

class StoredSweep : public SweepFolder {
protected:
    /// As a command does: opens the folder, takes what is there, measures the rest.
    Sweep sweepOnce(experiment::Backend& backend, int repeats, const Grid& grid) {
        SweepStore store(m_folder / "s", "a GPU");
        store.describe(grid, repeats);
        Sweep sweep = emptySweep(grid);
        fillFrom(sweep, store.lines(), store.folder());
        measure(sweep, {&backend, nullptr}, &store, {.repeats = repeats, .keepsRecordings = true}, {});
        return sweep;
    }
    Grid m_grid = smallGrid({"streams=1,2,4", "kernel.us=100,200"});
};

TEST_F(StoredSweep, GoesOnWhereItStoppedAndMeasuresNothingTwice) {
    CountingBackend stopped, rest;
    stopped.stopAfter = 4;
    EXPECT_THROW(sweepOnce(stopped, 2, m_grid), Error);
    const Sweep sweep = sweepOnce(rest, 2, m_grid);
    EXPECT_EQ(rest.experiments.size(), 8u) << "4 of 12 are there";
    CountingBackend unbroken;
    Sweep whole = emptySweep(m_grid);
    measure(whole, {&unbroken, nullptr}, nullptr, {.repeats = 2}, {});
    for (std::size_t i = 0; i < whole.cells.size(); ++i) {
        EXPECT_EQ(sweep.cells[i].times, whole.cells[i].times) << "the same runs, in the same order";
        EXPECT_EQ(sweep.cells[i].numbers, whole.cells[i].numbers) << "read as they were written";
        EXPECT_TRUE(fs::is_regular_file(sweep.cells[i].file));
    }
}

TEST_F(StoredSweep, MoreValuesAndMoreRepeatsTakeWhatIsThere) {
    CountingBackend first, second;
    (void)sweepOnce(first, 1, m_grid);
    const Sweep sweep = sweepOnce(second, 2, smallGrid({"streams=1,2,4,8", "kernel.us=100,200"}));
    EXPECT_EQ(second.experiments.size(), 6u + 4u);
    const StoredGrid stored = SweepStore::gridOf(m_folder / "s");
    EXPECT_EQ(stored.grid, sweep.grid);
    EXPECT_EQ(stored.repeats, 2);
    EXPECT_EQ(stored.machine, "a GPU");
}

TEST_F(StoredSweep, ALineThatWasNotWrittenToItsEndIsCutOff) {
    CountingBackend first, second;
    const Grid one = smallGrid({"streams=1,2"});
    (void)sweepOnce(first, 1, one);
    const fs::path file = m_folder / "s" / "runs.jsonl";
    const std::string whole = contentOf(file);
    ASSERT_GT(whole.size(), 40u);
    fs::resize_file(file, whole.size() - 20);
    (void)sweepOnce(second, 1, one);
    EXPECT_EQ(second.experiments.size(), 1u) << "the run that was cut is made again";
    EXPECT_EQ(SweepStore::linesOf(m_folder / "s").size(), 2u);
    EXPECT_THAT(contentOf(file), testing::EndsWith("\n"));
}

TEST_F(StoredSweep, DamagedLinesAreNoResults) {
    CountingBackend first, second;
    const Grid one = smallGrid({"streams=1,2"});
    (void)sweepOnce(first, 1, one);
    std::ofstream(m_folder / "s" / "runs.jsonl", std::ios::app)
        << "nonsense\n{\"cell\":1}\n{\"cell\":\"x\",\"time_ns\":1e300}\n[]\n{\"cell\":\"x\",\"time_ns\":-5}"
           "\n";
    (void)sweepOnce(second, 1, one);
    EXPECT_EQ(second.experiments.size(), 0u);
}

TEST_F(StoredSweep, IsOfOneMachineAndOfOneProcess) {
    CountingBackend backend;
    (void)sweepOnce(backend, 1, smallGrid({"streams=1"}));
    EXPECT_EQ(refusalOf(m_folder / "s", "another GPU"), "other-machine");
    EXPECT_EQ(refusalOf(m_folder / "s", ""), "") << "looking at it needs no machine";
    const SweepStore open(m_folder / "s", "a GPU");
    EXPECT_EQ(refusalOf(m_folder / "s", "a GPU"), "in-use");
}

TEST_F(StoredSweep, DoesNotWriteBesideOtherFiles) {
    std::ofstream(m_folder / "letter.txt") << "mine";
    EXPECT_EQ(refusalOf(m_folder, "a GPU"), "not-a-sweep");
    fs::create_directory(m_folder / "bad");
    std::ofstream(m_folder / "bad" / "sweep.json") << "{\"format\":\"olab-sweep-folder\",\"version\":9}";
    EXPECT_EQ(refusalOf(m_folder / "bad", "a GPU"), "not-a-sweep");
}

TEST_F(StoredSweep, AFailureIsKeptUntilTheCellRuns) {
    CountingBackend failing, working;
    failing.failsWithThreads = "64";
    const Grid grid = smallGrid({"kernel.threads=32,64"});
    (void)sweepOnce(failing, 1, grid);
    const Sweep again = sweepOnce(working, 1, grid);
    EXPECT_EQ(working.experiments.size(), 0u);
    EXPECT_EQ(again.cells[1].failed, "The kernel failed.");
}

} // namespace
} // namespace olab::sweep
