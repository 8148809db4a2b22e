// The cells of a sweep: an experiment and one or two axes; each cell is the experiment with one value of
// each. The work stays the same where it can: when `streams` is varied, iterations follow, so that all
// streams together make as many passes as before (rounded; times are compared per pass). Values, any thread.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/sweep/axis.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace olab::sweep {

inline constexpr std::size_t kMostCells = 10'000;

struct Grid {
    experiment::HeldExperiment base;
    std::string title;      ///< of the base: a preset's id, a file's name
    std::vector<Axis> axes; ///< one or two; the first is drawn from left to right
    bool keepsPasses = true;

    std::size_t cells() const;
    /// The value of each axis, by its number.
    std::vector<std::size_t> at(std::size_t cell) const;
    std::size_t cellAt(std::size_t first, std::size_t second = 0) const;
    /// The cells along an axis through `cell`, in the order of its values.
    std::vector<std::size_t> line(std::size_t axis, std::size_t cell) const;
    friend bool operator==(const Grid&, const Grid&) = default;
};

/// @throws Error kind Usage: no axis, more than two, an option on both, too many cells, iterations that
/// nobody can follow
void checkGrid(const Grid& grid);
/// With repeat=1. May be one that cannot run: conflictOf() says so.
experiment::HeldExperiment experimentOf(const Grid& grid, std::size_t cell);
/// Why this cell cannot run; empty: it can.
std::string whyImpossible(const Grid& grid, std::size_t cell);
/// "streams=4, h2d.bytes=1MiB"
std::string cellText(const Grid& grid, std::size_t cell);
/// Of all streams of one device together.
std::int64_t passesOf(const experiment::Experiment& experiment);
/// The number of a cell's experiment, the same in every process: results are found by it.
std::string cellDigest(const experiment::Experiment& experiment);

} // namespace olab::sweep
