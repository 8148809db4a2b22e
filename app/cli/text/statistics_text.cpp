#include "statistics_text.h"

#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace olab::cli {
namespace {

using analysis::Statistics;
using analysis::StatisticsRow;

std::string percentOf(double share) {
    return fixedText(share * 100, 1) + " %";
}

std::string bytesOf(std::int64_t bytes) {
    constexpr std::array kUnits{" B", " KiB", " MiB", " GiB", " TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit)
        value /= 1024;
    const int digits = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return fixedText(value, digits) + kUnits[unit];
}

std::string rateOf(const analysis::NamedWork& work) {
    const auto rate = work.rate();
    return rate ? fixedText(*rate, *rate >= 10 ? 1 : 2) + " GB/s" : std::string();
}

std::string waitOf(const analysis::NamedWork& work) {
    return work.waited > 0 ? analysis::timeText(work.waited) : std::string();
}

std::string causeOf(const analysis::NamedWork& work) {
    return work.waited > 0 ? std::string(analysis::waitCauseId(work.cause)) : std::string();
}

std::string workTimeOf(const Statistics& of, const StatisticsRow& row) {
    return of.by > analysis::StatisticsGroup::Copy && row.work.count > 0 ? analysis::timeText(row.work.time)
                                                                         : std::string();
}

std::string perIterationOf(const Statistics& of, const StatisticsRow& row) {
    if (row.inIterations == 0 && row.totalInIterations == 0)
        return {};
    const double count = of.countPerIteration(row);
    return fixedText(count, count < 10 ? 2 : 1) + " x, " + analysis::timeText(of.totalPerIteration(row));
}

struct ColumnRow {
    std::string_view head;
    std::string (*cell)(const Statistics&, const StatisticsRow&);
};

/// A column without any text is left out.
constexpr ColumnRow kColumnRows[] = {
    {"of GPU",
     [](const Statistics& of, const StatisticsRow& row) {
         return of.knowsWork && row.work.count > 0 ? percentOf(of.shareOf(row)) : std::string();
     }},
    {"GPU time", workTimeOf},
    {"total", [](const Statistics&, const StatisticsRow& row) { return analysis::timeText(row.total); }},
    {"count", [](const Statistics&, const StatisticsRow& row) { return std::to_string(row.count); }},
    {"mean", [](const Statistics&, const StatisticsRow& row) { return analysis::timeText(row.mean); }},
    {"median", [](const Statistics&, const StatisticsRow& row) { return analysis::timeText(row.median); }},
    {"min", [](const Statistics&, const StatisticsRow& row) { return analysis::timeText(row.shortest); }},
    {"max", [](const Statistics&, const StatisticsRow& row) { return analysis::timeText(row.longest); }},
    {"std dev", [](const Statistics&, const StatisticsRow& row) { return analysis::timeText(row.spread); }},
    {"bytes",
     [](const Statistics&, const StatisticsRow& row) {
         return row.work.bytes > 0 ? bytesOf(row.work.bytes) : std::string();
     }},
    {"rate", [](const Statistics&, const StatisticsRow& row) { return rateOf(row.work); }},
    {"overlapped",
     [](const Statistics&, const StatisticsRow& row) {
         return row.work.count > 0 ? percentOf(row.work.overlappedShare()) : std::string();
     }},
    {"waited", [](const Statistics&, const StatisticsRow& row) { return waitOf(row.work); }},
    {"because of", [](const Statistics&, const StatisticsRow& row) { return causeOf(row.work); }},
    {"per iteration", perIterationOf},
};

using Cells = std::vector<std::string>;

/// The head, then a cell for each row, all equally wide; empty: there is nothing in the column.
Cells columnOf(const ColumnRow& column, const Statistics& of, std::size_t rows) {
    Cells cells{std::string(column.head)};
    for (std::size_t r = 0; r < rows; ++r)
        cells.push_back(column.cell(of, of.rows[r]));
    if (std::all_of(cells.begin() + 1, cells.end(), [](const std::string& cell) { return cell.empty(); }))
        return {};
    const std::size_t width = std::ranges::max(cells, {}, &std::string::size).size();
    for (std::string& cell : cells)
        cell.insert(0, width - cell.size(), ' ');
    return cells;
}

/// At the end of a line, on which everything else has its place.
std::string nameOf(const StatisticsRow& row) {
    constexpr std::size_t kMost = 100;
    std::string name = visibleText(row.label);
    if (name.size() <= kMost)
        return name;
    std::size_t end = kMost;
    while ((static_cast<unsigned char>(name[end]) & 0xc0u) == 0x80) // within a letter
        --end;
    return name.substr(0, end) + "...";
}

Printed headOf(const Statistics& of) {
    Printed text;
    text << analysis::statisticsGroupRow(of.by).label << ": " << of.rows.size() << " names, "
         << std::accumulate(of.rows.begin(), of.rows.end(), std::uint64_t{0},
                            [](std::uint64_t sum, const StatisticsRow& row) { return sum + row.count; })
         << " in all; all device work took " << analysis::timeText(of.deviceTime) << "\n";
    if (of.iterations > 0)
        text << "per iteration: of " << of.iterations << " iterations\n";
    return text << "\n";
}

std::uint64_t cutIn(const Statistics& of) {
    std::uint64_t cut = 0;
    for (const StatisticsRow& row : of.rows)
        cut += row.cut;
    return cut;
}

} // namespace

Printed statisticsText(const analysis::Statistics& statistics, std::size_t most) {
    const std::size_t rows = std::min(most, statistics.rows.size());
    if (rows == 0)
        return Literal("Nothing of the kind was recorded.\n");
    std::vector<Cells> columns;
    for (const ColumnRow& column : kColumnRows)
        if (Cells cells = columnOf(column, statistics, rows); !cells.empty())
            columns.push_back(std::move(cells));
    Printed text = headOf(statistics);
    for (std::size_t line = 0; line <= rows; ++line) {
        for (const Cells& column : columns)
            text << column[line] << "  ";
        text << (line == 0 ? std::string(analysis::statisticsGroupRow(statistics.by).one)
                           : nameOf(statistics.rows[line - 1]))
             << "\n";
    }
    if (rows < statistics.rows.size())
        text << "and " << statistics.rows.size() - rows << " names more (--all)\n";
    if (const std::uint64_t cut = cutIn(statistics); cut > 0)
        text << cut << " reach over an end of the part: only what lies in it counts in the totals, their "
             << "whole durations in mean to std dev\n";
    return text;
}

} // namespace olab::cli
