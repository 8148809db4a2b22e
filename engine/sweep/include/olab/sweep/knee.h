// The knee of an axis: the smallest value beyond which little more is gained, and what holds the runs there.
// What is compared is the time of a pass, along sizes that of a byte. Pure functions, any thread.
#pragma once

#include <olab/sweep/sweep.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sweep {

/// A smaller gain is none; larger where the runs of a cell differ by more.
inline constexpr double kSmallGain = 0.02;

enum class LineShape : std::uint8_t {
    Unknown,   ///< a cell of it has no time, or its values are words
    OtherWork, ///< its cells do different work
    Flat,      ///< no value is better than the first by more than the threshold
    Knee,      ///< nothing beyond the knee is
    Gains      ///< the last value is still better
};
std::string_view lineShapeName(LineShape shape); ///< "unknown", "other_work", "flat", "knee", "gains"

/// The cells along one axis, at one value of the other.
struct Line {
    std::size_t axis = 0;
    std::vector<std::size_t> cells;
    bool measured = false; ///< all of it; false: what is said rests on predictions
    LineShape shape = LineShape::Unknown;
    double threshold = kSmallGain; ///< what counts as a gain
    std::size_t knee = 0;          ///< the value's number; Flat: the first, Gains: the last
    double gained = 0;             ///< from the first value to the knee, as a share of the first
    double beyond = 0;             ///< the most that a later value gains on the knee; may be below 0
    double lost = 0;               ///< how much longer the worst value beyond it takes; 0: none does
    std::string text;              ///< a sentence: "Beyond streams=4 nothing is gained: ..."
};
/// Every line of every axis: those of the first axis first, in the order of the other one's values.
std::vector<Line> linesOf(const Sweep& sweep);
Line lineThrough(const Sweep& sweep, std::size_t axis, std::size_t cell);

/// What is said of an axis is about the line through this cell: the best one, else that with the values of
/// the base.
std::size_t usualCell(const Sweep& sweep);
/// A sentence or two on an axis, and from where to where the knee lies on the other lines.
std::string axisText(const Sweep& sweep, std::size_t axis);

} // namespace olab::sweep
