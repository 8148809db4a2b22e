// A sweep: a grid of experiments, the simulator's prediction for each cell, and the measurements so far.
// Values, any thread; times are ns. Cells only contain numbers: about three kilobytes each.
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

/// The overlap of two classes, on the device where it is lowest.
struct PairShare {
    ActivityClass a{}, b{};
    analysis::VerdictKind verdict{};
    double share = 0; ///< of the possible overlap
    friend bool operator==(const PairShare&, const PairShare&) = default;
};

/// The part of a run's report that a sweep keeps: numbers and a few names, about a kilobyte, regardless of
/// the recording's size.
struct CellNumbers {
    Ns measured = 0; ///< time of this run
    std::optional<Ns> ideal, serial;
    std::optional<double> efficiency;
    std::string limiting; ///< Bounds::limiting: "copy_h2d", "compute", "chain"
    bool isLimited = false, gainsLittle = false;
    Ns limit = 0; ///< time that `limiting` needs
    bool hasAccount = false;
    std::vector<CauseCost> causes; ///< from the account, in its order; without causes that cost nothing
    Ns unexplained = 0;
    std::vector<PairShare> pairs; ///< without minor pairs, in the order of the report
    bool raced = false;

    /// The most expensive cause of the account; null: none costs anything.
    const CauseCost* first() const { return causes.empty() ? nullptr : &causes.front(); }
    friend bool operator==(const CellNumbers&, const CellNumbers&) = default;
};

CellNumbers cellNumbersOf(const analysis::Report& report, bool raced);
/// "the H2D copy engine", "compute", "the order of the streams"; empty: no bottleneck.
std::string limitingText(const CellNumbers& numbers);
/// Why the run is not shorter, for the end of a sentence: "the H2D copy engine is the bottleneck (97 % of the
/// run)", "null-stream costs 12 % of the run".
std::string reasonText(const CellNumbers& numbers);

/// Measured: run on this machine, and only that. Simulated: only the prediction is known, or the runs were
/// simulated.
enum class CellState : std::uint8_t { Waiting, Simulated, Measured, Impossible, Failed };
std::string_view cellStateName(CellState state); ///< "waiting", "simulated", ...

struct Cell {
    std::string impossible;               ///< why it cannot run; empty: it can
    std::optional<CellNumbers> predicted; ///< by the simulator
    std::vector<Ns> times;                ///< of the repeats, in the order of the rounds
    std::optional<CellNumbers> numbers;   ///< of its first traced run
    std::string failed;                   ///< why it did not run; empty: it did, or is still waiting
    std::string trouble;                  ///< a race or lost records in one of its runs
    std::string file;                     ///< the kept recording of its first traced run; empty: none
    std::int64_t passes = 0;

    /// Nothing until there is a run.
    std::optional<comparison::Spread> spread() const { return comparison::spreadOf(times); }
    /// The median of the runs, else the prediction; nothing if neither exists.
    std::optional<Ns> time() const;
    /// From the runs, else from the prediction; null: neither exists.
    const CellNumbers* shownNumbers() const;
    /// Median of the runs / prediction - 1: 0.03 is 3 % longer than predicted. Only if both are known and
    /// nothing raced.
    std::optional<double> off() const;
};

struct Sweep {
    Grid grid;
    std::vector<Cell> cells; ///< by cell number
    bool untraced = false;   ///< the times are those of untraced runs
    bool simulated = false;  ///< the runs were simulated
    std::string machine;     ///< where they ran; empty: nothing ran
    std::string basis;       ///< basis of the predictions, a sentence

    CellState state(std::size_t cell) const;
    std::size_t measured() const; ///< cells with at least one run
    /// Over cells with at least two runs: the median of (longest - shortest) / median; 0 without such cells.
    double noise() const;
    /// How much longer the last run of a cell took than its first, median over all cells; nothing with one
    /// run each.
    std::optional<double> drift() const;
};

/// Its cells are empty, except that impossible ones are marked. @throws as checkGrid()
Sweep emptySweep(Grid grid);

/// The cell with the shortest time per pass that has numbers and did not race; measured cells take precedence
/// over predicted ones. Nothing if no cell has a time, or the work differs between cells.
std::optional<std::size_t> bestCell(const Sweep& sweep);

/// The deviation of the predictions from the measurements.
struct PredictionError {
    std::size_t cells = 0;
    double median = 0, largest = 0; ///< of the absolute differences
    std::size_t worst = 0;          ///< the cell of the largest
    std::size_t sameLimiting = 0;   ///< cells where both name the same bottleneck
};
std::optional<PredictionError> predictionError(const Sweep& sweep);

} // namespace olab::sweep
