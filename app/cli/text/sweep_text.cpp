#include "sweep_text.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/waits.h>
#include <olab/sweep/sweep_document.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace olab::cli {
namespace {

using sweep::Axis;
using sweep::CellState;
using sweep::Figure;
using sweep::Sweep;
using SweepTable = std::vector<std::vector<std::string>>; ///< visible text

/// Letters of UTF-8, not bytes.
std::size_t lettersOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string alignedTable(const SweepTable& table) {
    std::vector<std::size_t> widths;
    for (const auto& row : table)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1), 0);
            widths[i] = std::max(widths[i], lettersOf(row[i]));
        }
    std::string text;
    for (const auto& row : table) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += "  " + row[i] + std::string(widths[i] - lettersOf(row[i]), ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

/// The figures of all cells: what a shade stands for.
struct ShadeScale {
    double low = 0, high = 0;
    static ShadeScale of(const Sweep& sweep, Figure figure) {
        ShadeScale scale;
        bool isFirst = true;
        for (std::size_t i = 0; i < sweep.cells.size(); ++i)
            if (const auto value = sweep::figureOf(sweep, i, figure)) {
                scale.low = isFirst ? *value : std::min(scale.low, *value);
                scale.high = isFirst ? *value : std::max(scale.high, *value);
                isFirst = false;
            }
        return scale;
    }
    std::string shade(double value) const {
        static constexpr std::array<const char*, 5> kShades{" ", "░", "▒", "▓", "█"};
        const double share = high > low ? (value - low) / (high - low) : 0;
        return kShades[std::min<std::size_t>(kShades.size() - 1, static_cast<std::size_t>(share * 5))];
    }
};

std::string mapCell(const Sweep& sweep, std::size_t cell, Figure figure, const ShadeScale& scale) {
    const CellState state = sweep.state(cell);
    const auto value = sweep::figureOf(sweep, cell, figure);
    if (state == CellState::Impossible || state == CellState::Failed)
        return state == CellState::Failed ? "  failed" : "  cannot run";
    if (!value)
        return "  -";
    const bool simulated = state == CellState::Simulated && figure != Figure::Off;
    return scale.shade(*value) + (simulated ? "~" : " ") + sweep::figureText(figure, *value);
}

SweepTable mapTable(const Sweep& sweep, Figure figure) {
    const Axis& across = sweep.grid.axes.front();
    const bool isFlat = sweep.grid.axes.size() == 1;
    const ShadeScale scale = ShadeScale::of(sweep, figure);
    SweepTable table{{isFlat ? "" : visibleText(sweep.grid.axes.back().name())}};
    for (const std::string& value : across.values)
        table.front().push_back("  " + visibleText(value));
    for (std::size_t y = 0; y < (isFlat ? 1 : sweep.grid.axes.back().values.size()); ++y) {
        table.push_back({isFlat ? "" : visibleText(sweep.grid.axes.back().values[y])});
        for (std::size_t x = 0; x < across.values.size(); ++x)
            table.back().push_back(mapCell(sweep, sweep.grid.cellAt(x, y), figure, scale));
    }
    return table;
}

std::string mapText(const Sweep& sweep, Figure figure) {
    std::string head = std::string(sweep::figureRow(figure).label) + ", " +
                       visibleText(sweep.grid.axes.front().name()) + " from left to right";
    const bool anySimulated =
        figure != Figure::Off && sweep.measured() < sweep.cells.size() && sweep.measured() > 0;
    if (anySimulated)
        head += " (~ simulated, not measured)";
    return head + "\n" + alignedTable(mapTable(sweep, figure));
}

std::string firstCauseText(const sweep::CellNumbers* numbers) {
    if (!numbers || !numbers->first())
        return "-";
    return std::string(analysis::lossCauseId(numbers->first()->cause)) + " " +
           analysis::timeText(numbers->first()->cost);
}

std::vector<std::string> cellRow(const Sweep& sweep, std::size_t number) {
    const sweep::Cell& cell = sweep.cells[number];
    const sweep::CellNumbers* const numbers = cell.shownNumbers();
    const auto spread = cell.spread();
    const auto ifKnown = [](const auto& value, auto text) { return value ? text(*value) : std::string("-"); };
    return {visibleText(sweep.grid.axes.front().values[number]),
            std::string(sweep::cellStateName(sweep.state(number))),
            ifKnown(cell.time(), analysis::timeText),
            spread && spread->runs > 1
                ? analysis::timeText(spread->lowest) + " to " + analysis::timeText(spread->highest)
                : "-",
            cell.predicted ? analysis::timeText(cell.predicted->measured) : "-",
            ifKnown(cell.off(), [](double off) { return sweep::figureText(Figure::Off, off); }),
            numbers ? ifKnown(numbers->ideal, analysis::timeText) : "-",
            numbers ? sweep::limitingText(*numbers) : "-",
            firstCauseText(numbers)};
}

/// Along the only axis: what a map has no room for.
std::string lineTable(const Sweep& sweep) {
    SweepTable table{{visibleText(sweep.grid.axes.front().name()), "", "time", "runs", "predicted", "off",
                      "ideal", "needs most", "first cause"}};
    for (std::size_t i = 0; i < sweep.cells.size(); ++i)
        table.push_back(cellRow(sweep, i));
    return alignedTable(table);
}

bool isAllSimulated(const Sweep& sweep) {
    return sweep.simulated || sweep.measured() == 0;
}

std::string axesText(const Sweep& sweep) {
    std::string text;
    for (const Axis& axis : sweep.grid.axes)
        text += (text.empty() ? "" : " x ") + axis.name();
    return text;
}

} // namespace

Printed sweepText(const Sweep& sweep, Figure figure, const sweep::BestFound* best) {
    Printed text = sweep.grid.title;
    text << ": " << axesText(sweep) << ", " << sweep.cells.size() << " cells, " << sweep.measured()
         << (sweep.simulated ? Literal(" run") : Literal(" measured"))
         << (isAllSimulated(sweep) ? Literal("   [SIMULATED]\n") : Literal("\n"));
    if (!sweep.machine.empty())
        text << "on " << sweep.machine << (sweep.untraced ? Literal(", untraced runs\n") : Literal("\n"));
    text << "\n";
    if (sweep.grid.axes.size() == 1)
        text << Printed::ours(lineTable(sweep));
    else
        text << Printed::ours(mapText(sweep, figure));
    if (sweep.grid.axes.size() == 2 && sweep.measured() > 0 && !sweep.simulated && figure != Figure::Off)
        text << "\n" << Printed::ours(mapText(sweep, Figure::Off));
    text << "\n";
    for (const std::string& sentence : sweep::sweepSentences(sweep))
        text << sentence << "\n";
    if (!sweep.basis.empty())
        text << sweep.basis << "\n";
    if (best)
        text << "\n" << best->text << "\n";
    return text;
}

} // namespace olab::cli
