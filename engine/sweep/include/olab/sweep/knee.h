// The knee of an axis: the smallest value beyond which little is gained, and what limits the runs there.
// Compares the time per pass, or per byte along sizes. Pure functions, any thread.
#pragma once

#include <olab/sweep/sweep.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sweep {

/// Smaller gains do not count; the threshold is larger if the runs of a cell differ by more.
inline constexpr double kSmallGain = 0.02;

enum class LineShape : std::uint8_t {
    Unknown,   ///< a cell has no time, or the values are words
    OtherWork, ///< its cells do different work
    Flat,      ///< no value is better than the first by more than the threshold
    Knee,      ///< no value beyond the knee is better
    Gains      ///< the last value is still better
};
std::string_view lineShapeName(LineShape shape); ///< "unknown", "other_work", "flat", "knee", "gains"

/// The cells along one axis, at a fixed value of the other.
struct Line {
    std::size_t axis = 0;
    std::vector<std::size_t> cells;
    bool measured = false; ///< all cells were measured; false: based on predictions
    LineShape shape = LineShape::Unknown;
    double threshold = kSmallGain; ///< smallest difference that counts as a gain
    std::size_t knee = 0;          ///< index of the value; Flat: the first, Gains: the last
    double gained = 0;             ///< from the first value to the knee, as a share of the first
    double beyond = 0;             ///< largest gain of a later value over the knee; may be below 0
    double lost = 0;               ///< how much longer the worst later value takes; 0: none is worse
    std::string text;              ///< a sentence: "Beyond streams=4 nothing is gained: ..."
};
/// Every line of every axis: those of the first axis first, in the order of the other one's values.
std::vector<Line> linesOf(const Sweep& sweep);
Line lineThrough(const Sweep& sweep, std::size_t axis, std::size_t cell);

/// The cell whose line represents an axis: the best cell, else the one with the base's values.
std::size_t usualCell(const Sweep& sweep);
/// A sentence or two about an axis, with the range of the knee on the other lines.
std::string axisText(const Sweep& sweep, std::size_t axis);

} // namespace olab::sweep
