#include <olab/sweep/knee.h>

#include <olab/sweep/figure.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>

namespace olab::sweep {
namespace {

// Sentences about a line of a sweep.

std::string percentText(double share) {
    return fixedText(100 * share, share < 0.1 ? 1 : 0) + " %";
}

const Axis& axisOf(const Sweep& sweep, const Line& line) {
    return sweep.grid.axes[line.axis];
}

/// "streams=4"
std::string placeText(const Sweep& sweep, const Line& line, std::size_t index) {
    return axisOf(sweep, line).assignment(sweep.grid.at(line.cells[index])[line.axis]);
}

std::string valueText(const Sweep& sweep, const Line& line, std::size_t index) {
    return axisOf(sweep, line).values[sweep.grid.at(line.cells[index])[line.axis]];
}

/// ": the H2D copy engine is the bottleneck (97 % of the run)." Only the full stop if unknown.
std::string because(const Sweep& sweep, const Line& line) {
    const CellNumbers* const numbers = sweep.cells[line.cells[line.knee]].shownNumbers();
    return numbers ? ": " + reasonText(*numbers) + "." : ".";
}

std::string lossText(const Sweep& sweep, const Line& line) {
    if (line.lost <= line.threshold)
        return {};
    return " Beyond it a " + std::string(axisOf(sweep, line).kind == AxisKind::Size ? "byte" : "pass") +
           " takes up to " + percentText(line.lost) + " longer.";
}

std::string kneeText(const Sweep& sweep, const Line& line) {
    return "Beyond " + placeText(sweep, line, line.knee) + " nothing is gained" + because(sweep, line) +
           lossText(sweep, line) + " Up to there it gained " + percentText(line.gained) + ".";
}

std::string flatText(const Sweep& sweep, const Line& line) {
    return axisOf(sweep, line).name() + " gains nothing from " + valueText(sweep, line, 0) + " to " +
           valueText(sweep, line, line.cells.size() - 1) + " (within " + percentText(line.threshold) + ")" +
           because(sweep, line) + lossText(sweep, line);
}

std::string gainsText(const Sweep& sweep, const Line& line) {
    return "Up to " + placeText(sweep, line, line.knee) + " there is no knee: the last step still gains" +
           because(sweep, line);
}

/// Different work may have different bottlenecks: "the H2D copy engine up to 200, the compute engine from 400
/// on".
std::string boundsText(const Sweep& sweep, const Line& line) {
    std::string text, last;
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
        const CellNumbers* const numbers = sweep.cells[line.cells[i]].shownNumbers();
        const std::string here = numbers ? limitingText(*numbers) : "";
        if (here.empty() || here == last)
            continue;
        text += (text.empty() ? "" : ", ") + ("from " + placeText(sweep, line, i) + " on ") + here;
        last = here;
    }
    return text.empty()
               ? text
               : "The work differs along " + axisOf(sweep, line).name() + ". Most time needs " + text + ".";
}

std::string shapeText(const Sweep& sweep, const Line& line) {
    switch (line.shape) {
    case LineShape::OtherWork:
        return boundsText(sweep, line);
    case LineShape::Flat:
        return flatText(sweep, line);
    case LineShape::Knee:
        return kneeText(sweep, line);
    case LineShape::Gains:
        return gainsText(sweep, line);
    case LineShape::Unknown:
        break;
    }
    return {};
}

/// Describes its shape, its knee and the bottleneck there. Empty: unknown.
std::string lineText(const Sweep& sweep, const Line& line) {
    const std::string text = shapeText(sweep, line);
    return text.empty() || line.measured ? text : "Simulated: " + text;
}

/// " (at h2d.bytes=16MiB; elsewhere between 2 and 6)". `through`: a cell of `line`.
std::string otherLinesText(const Sweep& sweep, const Line& line, std::size_t through) {
    const Axis& other = sweep.grid.axes[1 - line.axis];
    std::string text = " (At " + other.assignment(sweep.grid.at(through)[1 - line.axis]);
    std::vector<std::size_t> knees;
    for (const std::size_t cell : sweep.grid.line(1 - line.axis, through))
        if (const Line here = lineThrough(sweep, line.axis, cell);
            here.shape == LineShape::Flat || here.shape == LineShape::Knee || here.shape == LineShape::Gains)
            knees.push_back(sweep.grid.at(here.cells[here.knee])[line.axis]);
    if (knees.empty())
        return text + ".)";
    const auto [low, high] = std::ranges::minmax(knees);
    const std::vector<std::string>& values = axisOf(sweep, line).values;
    return text + "; over all " + other.name() + " the knee is " +
           (low == high ? "at " + values[low] : "between " + values[low] + " and " + values[high]) + ".)";
}

using Costs = std::vector<double>;

/// For the time per byte along an axis of sizes: the bytes copied, as in Figure::Rate, else the axis value.
double bytesOf(const Sweep& sweep, std::size_t axis, std::size_t number) {
    const double copied = copiedBytes(experimentOf(sweep.grid, number));
    const std::int64_t value = sweep.grid.axes[axis].numbers[sweep.grid.at(number)[axis]];
    return copied > 0 ? copied : static_cast<double>(std::max<std::int64_t>(1, value));
}

/// The compared quantity along the axis; 0: unknown.
double costOf(const Sweep& sweep, std::size_t axis, std::size_t number, bool measured) {
    const Cell& cell = sweep.cells[number];
    std::optional<Ns> time = cell.time();
    if (!measured)
        time = cell.predicted ? std::optional(cell.predicted->measured) : std::nullopt;
    if (!time || cell.passes == 0)
        return 0;
    const double perPass = static_cast<double>(*time) / static_cast<double>(cell.passes);
    return sweep.grid.axes[axis].kind == AxisKind::Size ? perPass / bytesOf(sweep, axis, number) : perPass;
}

/// Sweep::noise() for these cells.
double noiseOf(const Sweep& sweep, const std::vector<std::size_t>& cells) {
    Sweep few;
    for (const std::size_t cell : cells)
        few.cells.push_back(sweep.cells[cell]);
    return few.noise();
}

double gain(double before, double after) {
    return 1 - after / before;
}

/// The first value that no later one beats by more than the threshold.
std::size_t kneeOf(const Costs& costs, double threshold) {
    for (std::size_t i = 0; i + 1 < costs.size(); ++i)
        if (gain(costs[i], *std::min_element(costs.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                             costs.end())) <= threshold)
            return i;
    return costs.size() - 1;
}

void judgeLine(Line& line, const Costs& costs) {
    line.knee = kneeOf(costs, line.threshold);
    line.gained = gain(costs.front(), costs[line.knee]);
    line.shape = line.knee == 0                  ? LineShape::Flat
                 : line.knee + 1 == costs.size() ? LineShape::Gains
                                                 : LineShape::Knee;
    const auto behind = std::span(costs).subspan(line.knee + 1);
    if (behind.empty())
        return;
    line.beyond = gain(costs[line.knee], *std::ranges::min_element(behind));
    line.lost = std::max(0.0, *std::ranges::max_element(behind) / costs[line.knee] - 1);
}

bool isMeasured(const Sweep& sweep, const std::vector<std::size_t>& cells) {
    return !sweep.simulated &&
           std::ranges::all_of(cells, [&](std::size_t cell) { return !sweep.cells[cell].times.empty(); });
}

/// The cell with the base's values, or the first value of an axis that lacks it.
std::size_t baseCell(const Grid& grid) {
    std::vector<std::size_t> place(kMostAxes, 0);
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis) {
        const std::vector<std::string>& values = grid.axes[axis].values;
        const auto found =
            std::ranges::find(values, experiment::optionText(grid.base, grid.axes[axis].keys.front()));
        place[axis] = found == values.end() ? 0 : static_cast<std::size_t>(found - values.begin());
    }
    return grid.cellAt(place[0], place[1]);
}

} // namespace

std::string_view lineShapeName(LineShape shape) {
    static constexpr std::array<std::string_view, 5> kNames{"unknown", "other_work", "flat", "knee", "gains"};
    return kNames[static_cast<std::size_t>(shape)];
}

Line lineThrough(const Sweep& sweep, std::size_t axis, std::size_t cell) {
    const Axis& along = sweep.grid.axes[axis];
    Line line;
    line.axis = axis;
    line.cells = sweep.grid.line(axis, cell);
    std::erase_if(line.cells, [&](std::size_t c) { return !sweep.cells[c].impossible.empty(); });
    const bool ran =
        std::ranges::all_of(line.cells, [&](std::size_t c) { return !sweep.cells[c].times.empty(); });
    line.measured = isMeasured(sweep, line.cells) && !line.cells.empty();
    line.threshold = std::max(kSmallGain, ran ? noiseOf(sweep, line.cells) : 0);
    Costs costs;
    for (const std::size_t c : line.cells)
        costs.push_back(along.numbers.empty() ? 0 : costOf(sweep, axis, c, ran));
    if (along.kind == AxisKind::Work)
        line.shape = LineShape::OtherWork;
    else if (costs.size() > 1 && std::ranges::find(costs, 0.0) == costs.end())
        judgeLine(line, costs);
    line.text = lineText(sweep, line);
    return line;
}

std::vector<Line> linesOf(const Sweep& sweep) {
    std::vector<Line> lines;
    for (std::size_t axis = 0; axis < sweep.grid.axes.size(); ++axis) {
        const std::size_t others = sweep.grid.axes.size() == 1 ? 1 : sweep.grid.axes[1 - axis].values.size();
        for (std::size_t other = 0; other < others; ++other)
            lines.push_back(lineThrough(
                sweep, axis, axis == 0 ? sweep.grid.cellAt(0, other) : sweep.grid.cellAt(other, 0)));
    }
    return lines;
}

std::size_t usualCell(const Sweep& sweep) {
    return bestCell(sweep).value_or(baseCell(sweep.grid));
}

std::string axisText(const Sweep& sweep, std::size_t axis) {
    const std::size_t through = usualCell(sweep);
    const Line line = lineThrough(sweep, axis, through);
    std::string text = line.text;
    if (sweep.grid.axes.size() == 2 && !text.empty())
        text += otherLinesText(sweep, line, through);
    return text;
}

} // namespace olab::sweep
