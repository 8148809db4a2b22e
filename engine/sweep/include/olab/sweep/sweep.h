// A sweep: a grid of experiments, what the simulator says of each cell, and what was measured of it so far.
// Values, any thread; times are ns. Cells hold numbers only: about three kilobytes each.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/paired_change.h>
#include <olab/sweep/grid.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sweep {

struct CauseCost {
    analysis::LossCause cause{};
    Ns cost = 0;
    friend bool operator==(const CauseCost&, const CauseCost&) = default;
};

/// Of two classes of work, on the device where they overlapped least.
struct PairShare {
    ActivityClass a{}, b{};
    analysis::VerdictKind verdict{};
    double share = 0; ///< of what could overlap
    friend bool operator==(const PairShare&, const PairShare&) = default;
};

/// What a sweep keeps of the report of a run: numbers and a few names, about a kilobyte, whatever the
/// recording holds.
struct CellNumbers {
    Ns measured = 0; ///< of this run
    std::optional<Ns> ideal, serial;
    std::optional<double> efficiency;
    std::string limiting; ///< Bounds::limiting: "copy_h2d", "compute", "chain"
    bool isLimited = false, gainsLittle = false;
    Ns limit = 0; ///< what `limiting` needs
    bool hasAccount = false;
    std::vector<CauseCost> causes; ///< of the account, in its order; what costs nothing is left out
    Ns unexplained = 0;
    std::vector<PairShare> pairs; ///< those that matter, in the order of the report
    bool raced = false;

    /// The one that costs most by the account; null: none costs anything.
    const CauseCost* first() const { return causes.empty() ? nullptr : &causes.front(); }
    friend bool operator==(const CellNumbers&, const CellNumbers&) = default;
};

CellNumbers cellNumbersOf(const analysis::Report& report, bool raced);
/// "the H2D copy engine", "compute", "the order of the streams"; empty: nothing does.
std::string limitingText(const CellNumbers& numbers);
/// Why this run is not shorter, as the end of a sentence: "the H2D copy engine is the bottleneck (97 % of the
/// run)", "null-stream costs 12 % of the run".
std::string reasonText(const CellNumbers& numbers);

/// Measured: run on this machine; nothing else ever counts as that. Simulated: only the prediction is known,
/// or the runs were the simulator's.
enum class CellState : std::uint8_t { Waiting, Simulated, Measured, Impossible, Failed };
std::string_view cellStateName(CellState state); ///< "waiting", "simulated", ...

struct Cell {
    std::string impossible;               ///< why it cannot run; empty: it can
    std::optional<CellNumbers> predicted; ///< by the simulator
    std::vector<Ns> times;                ///< of the repeats, in the order of the rounds
    std::optional<CellNumbers> numbers;   ///< of its first traced run
    std::string failed;                   ///< why it did not run; empty: it did, or has not yet
    std::string trouble;                  ///< a race or lost records in one of its runs
    std::string file;                     ///< the kept recording of its first traced run; empty: none
    std::int64_t passes = 0;

    /// Nothing as long as there is no run.
    std::optional<comparison::Spread> spread() const { return comparison::spreadOf(times); }
    /// The median of the runs, else what was predicted; nothing where there is neither.
    std::optional<Ns> time() const;
    /// Of the runs, else of the prediction; null: none.
    const CellNumbers* shownNumbers() const;
    /// Median of the runs over the prediction, less 1: 0.03 is 3 % longer than predicted. Only where both are
    /// known and nothing raced.
    std::optional<double> off() const;
};

struct Sweep {
    Grid grid;
    std::vector<Cell> cells; ///< by their numbers
    bool untraced = false;   ///< the times are those of untraced runs
    bool simulated = false;  ///< the runs were the simulator's
    std::string machine;     ///< what they ran on; empty: nothing ran
    std::string basis;       ///< what the predictions were made with, a sentence

    CellState state(std::size_t cell) const;
    std::size_t measured() const; ///< cells with at least one run
    /// Of the cells with two runs or more: the median of (longest - shortest) / median; 0 where there is
    /// none.
    double noise() const;
    /// How much longer the last run of a cell took than its first, the median over all; nothing with one run.
    std::optional<double> drift() const;
};

/// Its cells are empty but for what cannot run. @throws as checkGrid()
Sweep emptySweep(Grid grid);

/// The shortest per pass, of those with numbers that did not race; measured ones before predicted ones.
/// Nothing where no cell has a time, or the work differs from cell to cell.
std::optional<std::size_t> bestCell(const Sweep& sweep);

/// How far the predictions are from what was measured.
struct PredictionError {
    std::size_t cells = 0;
    double median = 0, largest = 0; ///< of the absolute differences
    std::size_t worst = 0;          ///< the cell of the largest
    std::size_t sameLimiting = 0;   ///< cells where both name the same bound
};
std::optional<PredictionError> predictionError(const Sweep& sweep);

} // namespace olab::sweep
