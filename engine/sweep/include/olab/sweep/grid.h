// The cells of a sweep, and its axes.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sweep {

// An axis of a sweep: one option, or several that change together, and the values that they take. Read from
// the text of `--vary`: "streams=1,2,3,4,6,8", "h2d.bytes=1MiB..64MiB*2", "kernel.us=100..400+100",
// "h2d.bytes+d2h.bytes=1MiB,4MiB". Values, any thread.

inline constexpr std::size_t kMostAxes = 2;
inline constexpr std::size_t kMostValues = 1000; ///< of one axis

/// The effect of an axis on the work of a run; decides what can be compared along it.
enum class AxisKind : std::uint8_t {
    Way,  ///< the same passes in another way: compares the time per pass
    Size, ///< more bytes per pass: compares the time per byte
    Work  ///< other work: no value is better than another
};

struct Axis {
    std::vector<std::string> keys; ///< all take the same value
    std::vector<std::string>
        values; ///< as written by the option table, each once; numbers ascend, words stay as given
    std::vector<std::int64_t> numbers; ///< numeric values (bytes for sizes); empty: words
    AxisKind kind = AxisKind::Way;

    std::string name() const; ///< "streams", "h2d.bytes+d2h.bytes"
    std::string text() const; ///< axisFrom() turns it into the same axis
    /// "4" -> "streams=4"
    std::string assignment(std::size_t value) const { return name() + "=" + values[value]; }
    bool varies(std::string_view key) const;
    friend bool operator==(const Axis&, const Axis&) = default;
};

/// @throws Error kind Usage: bad-key, bad-value (as the option table), bad-axis
Axis axisFrom(std::string_view text);

// The cells of a sweep: an experiment and one or two axes; each cell is the experiment with one value of
// each. The work stays the same if possible: when `streams` varies, iterations are adjusted so that all
// streams together make the same number of passes (rounded; times are compared per pass). Values, any thread.

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
