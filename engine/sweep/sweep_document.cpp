#include <olab/sweep/sweep_document.h>

#include "numbers_json.h"

#include <olab/analysis/cause_table.h>
#include <olab/sweep/figure.h>
#include <olab/sweep/knee.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::sweep {
namespace {

constexpr int kDocumentVersion = 1;

Json axisJson(const Axis& axis) {
    static constexpr std::array<std::string_view, 3> kKinds{"way", "size", "work"};
    return {
        {"keys", axis.keys}, {"values", axis.values}, {"kind", kKinds[static_cast<std::size_t>(axis.kind)]}};
}

Json atJson(const Grid& grid, std::size_t cell) {
    Json at = Json::object();
    const std::vector<std::size_t> values = grid.at(cell);
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        for (const std::string& key : grid.axes[axis].keys)
            at[key] = grid.axes[axis].values[values[axis]];
    return at;
}

Json numberOrNull(const std::optional<double>& number) {
    return number ? Json(*number) : Json();
}

/// Why there are no numbers, or why they are unreliable.
std::string problemOf(const Cell& cell) {
    return !cell.impossible.empty() ? cell.impossible : !cell.failed.empty() ? cell.failed : cell.trouble;
}

Json cellJson(const Sweep& sweep, std::size_t number) {
    const Cell& cell = sweep.cells[number];
    const auto spread = cell.spread();
    Json json{{"at", atJson(sweep.grid, number)},
              {"state", cellStateName(sweep.state(number))},
              {"passes", cell.passes},
              {"times_ns", cell.times},
              {"time_ns", spread ? Json(spread->median) : Json()},
              {"lowest_ns", spread ? Json(spread->lowest) : Json()},
              {"highest_ns", spread ? Json(spread->highest) : Json()},
              {"predicted_ns", cell.predicted ? Json(cell.predicted->measured) : Json()},
              {"off", numberOrNull(cell.off())},
              {"report", cell.numbers ? numbersJson(*cell.numbers) : Json()},
              {"predicted", cell.predicted ? numbersJson(*cell.predicted) : Json()}};
    if (!cell.file.empty())
        json["file"] = cell.file;
    if (const std::string problem = problemOf(cell); !problem.empty())
        json["problem"] = problem;
    return json;
}

Json lineJson(const Sweep& sweep, const Line& line) {
    const Axis& axis = sweep.grid.axes[line.axis];
    const bool hasKnee = line.shape == LineShape::Flat || line.shape == LineShape::Knee;
    Json json{{"axis", axis.name()}};
    if (sweep.grid.axes.size() == 2 && !line.cells.empty()) {
        const Axis& other = sweep.grid.axes[1 - line.axis];
        json["other"] = other.assignment(sweep.grid.at(line.cells.front())[1 - line.axis]);
    }
    json.update(
        {{"shape", lineShapeName(line.shape)},
         {"measured", line.measured},
         {"knee", hasKnee ? Json(axis.values[sweep.grid.at(line.cells[line.knee])[line.axis]]) : Json()},
         {"threshold", line.threshold},
         {"gained", line.gained},
         {"beyond", line.beyond},
         {"lost", line.lost},
         {"text", line.text}});
    return json;
}

Json predictionJson(const Sweep& sweep) {
    Json json{{"basis", sweep.basis}};
    if (const auto error = predictionError(sweep))
        json.update({{"cells", error->cells},
                     {"median_error", error->median},
                     {"largest_error", error->largest},
                     {"worst", atJson(sweep.grid, error->worst)},
                     {"same_limiting", error->sameLimiting}});
    return json;
}

Json bestJson(const Sweep& sweep, const BestFound& best) {
    Json json{{"at", best.best ? atJson(sweep.grid, *best.best) : Json()},
              {"next", best.next ? atJson(sweep.grid, *best.next) : Json()},
              {"cells", best.cells},
              {"is_sure", best.isSure},
              {"text", best.text}};
    if (best.distance)
        json["next_slower"] = {{"ratio", best.distance->ratio},
                               {"low", numberOrNull(best.distance->low)},
                               {"high", numberOrNull(best.distance->high)},
                               {"coverage", best.distance->coverage}};
    return json;
}

template <typename Items, typename ToJson>
Json listOf(const Items& items, ToJson toJson) {
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(toJson(item));
    return list;
}

std::string nsText(const std::optional<Ns>& time) {
    return time ? std::to_string(*time) : std::string();
}

std::string shareText(const std::optional<double>& share) {
    constexpr int kDigits = 6;
    return share ? shortText(*share, kDigits) : std::string();
}

/// For the shown numbers: the bottleneck, the first cause and its cost.
std::string shownCsv(const Cell& cell) {
    const CellNumbers* const numbers = cell.shownNumbers();
    if (!numbers)
        return ",,,,,";
    const CauseCost* const first = numbers->first();
    return "," + nsText(numbers->ideal) + "," + shareText(numbers->efficiency) + "," +
           csvText(numbers->limiting) + "," +
           (first ? std::string(analysis::lossCauseId(first->cause)) + "," + std::to_string(first->cost)
                  : ",");
}

std::string cellCsv(const Sweep& sweep, std::size_t number, const std::vector<analysis::LossCause>& causes) {
    const Cell& cell = sweep.cells[number];
    std::string line;
    const std::vector<std::size_t> at = sweep.grid.at(number);
    for (std::size_t axis = 0; axis < sweep.grid.axes.size(); ++axis)
        line += csvText(sweep.grid.axes[axis].values[at[axis]]) + ",";
    const auto spread = cell.spread();
    line += std::string(cellStateName(sweep.state(number))) + "," + std::to_string(cell.passes) + "," +
            std::to_string(cell.times.size()) + ",";
    line += spread ? nsText(spread->median) + "," + nsText(spread->lowest) + "," + nsText(spread->highest)
                   : std::string(",,");
    line += "," + (cell.predicted ? nsText(cell.predicted->measured) : "") + "," + shareText(cell.off()) +
            shownCsv(cell);
    const CellNumbers* const numbers = cell.shownNumbers();
    for (const analysis::LossCause cause : causes) {
        line += ",";
        if (!numbers || !numbers->hasAccount)
            continue;
        const auto found = std::ranges::find(numbers->causes, cause, &CauseCost::cause);
        line += std::to_string(found == numbers->causes.end() ? 0 : found->cost);
    }
    return line + "," + csvText(problemOf(cell)) + "\n";
}

/// Causes that cost something in any cell, in the order of the cause table.
std::vector<analysis::LossCause> causesOf(const Sweep& sweep) {
    std::vector<analysis::LossCause> found;
    for (const analysis::CauseRow& row : analysis::causeTable())
        if (std::ranges::any_of(sweep.cells, [&](const Cell& cell) {
                const CellNumbers* const numbers = cell.shownNumbers();
                return numbers && std::ranges::find(numbers->causes, row.cause, &CauseCost::cause) !=
                                      numbers->causes.end();
            }))
            found.push_back(row.cause);
    return found;
}

} // namespace

std::string sweepToJson(const Sweep& sweep, const BestFound* best) {
    std::vector<std::size_t> numbers(sweep.cells.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = i;
    const auto shortest = bestCell(sweep);
    Json json{{"format", "olab-sweep"},
              {"version", kDocumentVersion},
              {"title", sweep.grid.title},
              {"machine", sweep.machine},
              {"simulated", sweep.simulated || sweep.measured() == 0},
              {"untraced", sweep.untraced},
              {"keep_iterations", !sweep.grid.keepsPasses},
              {"experiment", Json::parse(experiment::experimentToJson(sweep.grid.base))},
              {"axes", listOf(sweep.grid.axes, axisJson)},
              {"measured_cells", sweep.measured()},
              {"noise", sweep.noise()},
              {"drift", numberOrNull(sweep.drift())},
              {"prediction", predictionJson(sweep)},
              {"shortest", shortest ? atJson(sweep.grid, *shortest) : Json()},
              {"lines", listOf(linesOf(sweep), [&](const Line& line) { return lineJson(sweep, line); })},
              {"sentences", sweepSentences(sweep)},
              {"cells", listOf(numbers, [&](std::size_t i) { return cellJson(sweep, i); })}};
    if (best)
        json["best"] = bestJson(sweep, *best);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string sweepToCsv(const Sweep& sweep) {
    const std::vector<analysis::LossCause> causes = causesOf(sweep);
    std::string text;
    for (const Axis& axis : sweep.grid.axes)
        text += csvText(axis.name()) + ",";
    text += "state,passes,runs,time_ns,lowest_ns,highest_ns,predicted_ns,off,ideal_ns,efficiency,limiting,"
            "first_cause,first_cost_ns";
    for (const analysis::LossCause cause : causes)
        text += ",cost_ns:" + std::string(analysis::lossCauseId(cause));
    text += ",problem\n";
    for (std::size_t i = 0; i < sweep.cells.size(); ++i)
        text += cellCsv(sweep, i, causes);
    return text;
}

} // namespace olab::sweep
