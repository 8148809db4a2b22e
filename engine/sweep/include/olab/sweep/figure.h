// The number that a map of a sweep shows for each cell. Pure functions, any thread.
#pragma once

#include <olab/sweep/sweep.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace olab::sweep {

enum class Figure : std::uint8_t {
    Time,       ///< of the run
    PerPass,    ///< time divided by the passes of all streams
    Rate,       ///< bytes copied in both directions per second
    Efficiency, ///< Bounds::efficiency
    Off         ///< measured against predicted
};
struct FigureRow {
    Figure figure;
    std::string_view id;    ///< "time", "per-pass", "rate", "efficiency", "off"
    std::string_view label; ///< for people
    bool moreIsBetter;
};
std::span<const FigureRow> figureTable();
const FigureRow& figureRow(Figure figure);

/// Bytes copied per pass, in both directions; 0: none.
double copiedBytes(const experiment::Experiment& experiment);
/// The most informative one: the rate if sizes vary, the time of a pass if the number of passes varies, else
/// the time.
Figure usualFigure(const Sweep& sweep);
/// The value as shown: from the runs, else from the prediction. Nothing if unknown.
std::optional<double> figureOf(const Sweep& sweep, std::size_t cell, Figure figure);
/// "12.3 ms", "49.8 GB/s", "0.93", "+3.1 %"
std::string figureText(Figure figure, double value);

} // namespace olab::sweep
