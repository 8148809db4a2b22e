// The results of a sweep in a folder: sweep.json says what is swept, runs.jsonl has one line for each run
// that was made, written to the disk before the next run starts. A process that is killed loses the run it
// was at: a line that is not whole is cut off by the next one that opens the folder. A result belongs to an
// experiment and a machine, not to a place in the grid: the folder of a sweep goes on with more values or
// more repeats, and what was measured is not measured again. One process at a time, one thread at a time.
//
// The only files that are written piece by piece, instead of whole or not at all (output_file.h): that is
// what they are for.
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

/// The name of a machine that is none: for tests.
inline constexpr std::string_view kSimulatedMachine = "the simulator in child processes";

/// One run.
struct RunLine {
    std::string cell; ///< cellDigest()
    bool traced = false;
    bool counts = true;     ///< its time is one of the repeats; a traced run beside untraced ones is not
    bool simulated = false; ///< by the simulator, wherever it ran
    Ns time = 0;            ///< of the window
    std::int64_t loops = 0; ///< of the kernel, for the same work in the next run; 0: none
    std::optional<CellNumbers> numbers; ///< traced: of its report
    std::string file;                   ///< of the kept recording, in the folder; empty: none
    std::string trouble;                ///< a race or lost records; empty: none
    std::string failed;                 ///< why it did not run; then only `cell` counts besides
};

struct StoredGrid {
    Grid grid;
    int repeats = 1;
    std::string machine; ///< on which it was measured; empty: nothing was
};

class SweepStore {
public:
    static bool isSweep(const std::filesystem::path& folder);
    /// @throws Error kind Usage "cannot-read", "not-a-sweep"
    static StoredGrid gridOf(const std::filesystem::path& folder);
    /// Of a folder that another process may be writing to. @throws Error as gridOf()
    static std::vector<RunLine> linesOf(const std::filesystem::path& folder);

    /// Makes the folder where there is none, and keeps others out until it is destroyed.
    /// @param machine what measures now; empty: nothing will be measured
    /// @throws Error kind Usage "cannot-write", "in-use", "other-machine"
    SweepStore(std::filesystem::path folder, const std::string& machine);
    ~SweepStore();
    SweepStore(const SweepStore&) = delete;
    SweepStore& operator=(const SweepStore&) = delete;

    /// What is swept from now on. @throws Error "cannot-write"
    void describe(const Grid& grid, int repeats);
    const std::vector<RunLine>& lines() const; ///< all that there are, in the order they were made
    /// To the disk before it returns. @throws Error "cannot-write"
    void add(RunLine line);
    /// Where the recording of a cell is kept.
    std::filesystem::path recordingFile(const std::string& cell) const;
    const std::filesystem::path& folder() const;
    const std::string& machine() const; ///< on which it was or is measured; empty: nothing was

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Puts what a run says into its cell; not its file.
void applyLine(Sweep& sweep, std::size_t number, const RunLine& line);
/// Puts into the cells what lines say of their experiments.
/// @param folder that of the kept recordings; one that is not there any more is left out
void fillFrom(Sweep& sweep, const std::vector<RunLine>& lines, const std::filesystem::path& folder);

} // namespace olab::sweep
