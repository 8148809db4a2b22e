#include "knee_words.h"

#include <olab/trace/number_text.h>

#include <algorithm>

namespace olab::sweep {
namespace {

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

/// ": the H2D copy engine is the bottleneck (97 % of the run)." Empty but for the full stop where nobody
/// knows.
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

/// Where the work differs the bound may change: "the H2D copy engine up to 200, the compute engine from 400
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

} // namespace

std::string lineText(const Sweep& sweep, const Line& line) {
    const std::string text = shapeText(sweep, line);
    return text.empty() || line.measured ? text : "Simulated: " + text;
}

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

} // namespace olab::sweep
