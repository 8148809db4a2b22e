#include <olab/sweep/figure.h>

#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace olab::sweep {
namespace {

constexpr std::array kFigures{FigureRow{Figure::Time, "time", "Run time", false},
                              FigureRow{Figure::PerPass, "per-pass", "Time per pass", false},
                              FigureRow{Figure::Rate, "rate", "Copy rate", true},
                              FigureRow{Figure::Efficiency, "efficiency", "Efficiency", true},
                              FigureRow{Figure::Off, "off", "Measured against predicted", false}};

std::optional<double> positive(double value) {
    return value > 0 ? std::optional(value) : std::nullopt;
}

} // namespace

std::span<const FigureRow> figureTable() {
    return kFigures;
}

const FigureRow& figureRow(Figure figure) {
    return kFigures[static_cast<std::size_t>(figure)];
}

double copiedBytes(const experiment::Experiment& experiment) {
    double bytes = 0;
    for (const char* step : {"h2d", "d2h"})
        if (experiment::optionText(experiment, step) == "on")
            bytes += static_cast<double>(experiment::optionNumber(experiment, std::string(step) + ".bytes"));
    return bytes;
}

Figure usualFigure(const Sweep& sweep) {
    const bool variesSize =
        std::ranges::any_of(sweep.grid.axes, [](const Axis& axis) { return axis.kind == AxisKind::Size; });
    if (variesSize && copiedBytes(sweep.grid.base) > 0)
        return Figure::Rate;
    const bool samePasses = std::ranges::all_of(
        sweep.cells, [&](const Cell& cell) { return cell.passes == sweep.cells.front().passes; });
    return samePasses ? Figure::Time : Figure::PerPass;
}

std::optional<double> figureOf(const Sweep& sweep, std::size_t number, Figure figure) {
    const Cell& cell = sweep.cells[number];
    if (figure == Figure::Off)
        return cell.off();
    if (figure == Figure::Efficiency)
        return cell.shownNumbers() ? cell.shownNumbers()->efficiency : std::nullopt;
    const auto time = cell.time();
    if (!time || *time <= 0)
        return std::nullopt;
    const auto length = static_cast<double>(*time), passes = static_cast<double>(cell.passes);
    if (figure == Figure::Rate)
        return positive(copiedBytes(experimentOf(sweep.grid, number)) * passes / length);
    return figure == Figure::PerPass && passes > 0 ? length / passes : length;
}

std::string figureText(Figure figure, double value) {
    switch (figure) {
    case Figure::Time:
    case Figure::PerPass:
        return analysis::timeText(static_cast<Ns>(std::llround(value)));
    case Figure::Rate:
        return fixedText(value, value < 10 ? 2 : 1) + " GB/s";
    case Figure::Efficiency:
        return fixedText(value, 2);
    case Figure::Off:
        break;
    }
    return (value < 0 ? "" : "+") + fixedText(100 * value, 1) + " %";
}

} // namespace olab::sweep
