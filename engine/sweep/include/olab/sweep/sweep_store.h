// The results of a sweep in a folder: sweep.json describes the sweep, runs.jsonl has one line per run,
// written to disk before the next run starts. A killed process loses only its current run: the next process
// that opens the folder cuts off an incomplete line. A result belongs to an experiment and a machine, not to
// a place in the grid: the sweep can continue with more values or repeats without measuring anything again.
// One process at a time, one thread at a time.
//
// These are the only files written piece by piece, instead of completely or not at all (output_file.h),
// because that is their purpose.
#pragma once

#include <olab/sweep/sweep.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sweep {

/// Machine name of simulated runs, for tests.
inline constexpr std::string_view kSimulatedMachine = "the simulator in child processes";

/// One run.
struct RunLine {
    std::string cell; ///< cellDigest()
    bool traced = false;
    bool counts = true;     ///< its time counts as a repeat; false for a traced run besides untraced ones
    bool simulated = false; ///< by the simulator, in any process
    Ns time = 0;            ///< of the window
    std::int64_t loops = 0; ///< of the kernel, to repeat the same work in the next run; 0: none
    std::optional<CellNumbers> numbers; ///< traced runs: from the report
    std::string file;                   ///< of the kept recording, in the folder; empty: none
    std::string trouble;                ///< a race or lost records; empty: none
    std::string failed;                 ///< why it did not run; then only `cell` is valid as well
};

struct StoredGrid {
    Grid grid;
    int repeats = 1;
    std::string machine; ///< of the measurements; empty: none
};

class SweepStore {
public:
    static bool isSweep(const std::filesystem::path& folder);
    /// @throws Error kind Usage "cannot-read", "not-a-sweep"
    static StoredGrid gridOf(const std::filesystem::path& folder);
    /// The folder may be in use by another process. @throws Error as gridOf()
    static std::vector<RunLine> linesOf(const std::filesystem::path& folder);

    /// Creates the folder if needed, and locks it until destruction.
    /// @param machine of new measurements; empty: there will be none
    /// @throws Error kind Usage "cannot-write", "in-use", "other-machine"
    SweepStore(std::filesystem::path folder, const std::string& machine);
    ~SweepStore();
    SweepStore(const SweepStore&) = delete;
    SweepStore& operator=(const SweepStore&) = delete;

    /// Sets the description of the sweep. @throws Error "cannot-write"
    void describe(const Grid& grid, int repeats);
    const std::vector<RunLine>& lines() const; ///< all lines, in order of the runs
    /// On disk when it returns. @throws Error "cannot-write"
    void add(RunLine line);
    /// Where the recording of a cell is kept.
    std::filesystem::path recordingFile(const std::string& cell) const;
    const std::filesystem::path& folder() const;
    const std::string& machine() const; ///< of past or future measurements; empty: none

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Adds a run to its cell, without its file.
void applyLine(Sweep& sweep, std::size_t number, const RunLine& line);
/// Adds lines to the cells of their experiments.
/// @param folder of the kept recordings; missing ones are ignored
void fillFrom(Sweep& sweep, const std::vector<RunLine>& lines, const std::filesystem::path& folder);

} // namespace olab::sweep
