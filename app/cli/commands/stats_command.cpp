#include "command.h"
#include "console.h"
#include "printed.h"
#include "text_report.h"
#include "time_slice.h"

#include <olab/analysis/statistics.h>
#include <olab/analysis/waits.h>
#include <olab/io/statistics_table.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <vector>

namespace olab::cli {
namespace {

// Statistics by name as a table for a person at a terminal.

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

/// The first `most` rows, aligned; columns that say nothing are left out.
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

constexpr OptionSpec kStatsOptions[] = {
    {"--by", "", "work|kernel|copy|operator|range|call",
     "what has a row: all device work (the default), kernels, copies and memsets, operators of a framework, "
     "ranges that the program named, or API calls"},
    {"--from", "", "T", "count only from the time T on (2ms, 350us), counted from the first device work"},
    {"--to", "", "T", "... and before T; what reaches over an end counts with its part"},
    {"--iteration", "", "N|typical|worst", "count one iteration of the steady state: the Nth, from 1"},
    {"--each-number", "", "",
     "with --by range: a row for each name, also of those that differ only in their last number"},
    {"--sort", "", "COLUMN",
     "total (the default), count, mean, median, min, max, stddev, time, overlapped, waited, bytes or name"},
    {"--top", "", "N", "print the first N names (default 20)"},
    {"--all", "", "", "print all names"},
    {"--csv", "", "", "print all as CSV, with times in ns"},
    {"--json", "", "", "print all as JSON"},
};

[[noreturn]] void refuse(const char* code, const std::string& message, const char* hint) {
    throw Error(ErrorKind::Usage, code, message, hint);
}

analysis::StatisticsGroup groupOf(const Arguments& arguments) {
    if (!arguments.has("--by"))
        return analysis::StatisticsGroup::Work;
    const std::string id = arguments.value("--by");
    if (const auto group = analysis::statisticsGroupOf(id))
        return *group;
    refuse("bad-group", "There are no statistics by '" + id + "'.",
           "Write work, kernel, copy, operator, range or call.");
}

std::size_t numberOf(const Arguments& arguments, const char* option) {
    const std::string text = arguments.value(option);
    std::size_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || rest != text.data() + text.size() || number == 0)
        refuse("bad-number", "'" + text + "' is no number for " + option + ".", "Write 1, 2, 3, ...");
    return number;
}

const analysis::StatisticsColumn& columnOf(const Arguments& arguments) {
    const std::string id = arguments.has("--sort") ? arguments.value("--sort") : "total";
    for (const analysis::StatisticsColumn& column : analysis::statisticsColumns())
        if (column.id == id)
            return column;
    std::string ids;
    for (const analysis::StatisticsColumn& column : analysis::statisticsColumns())
        ids += (ids.empty() ? "" : ", ") + std::string(column.id);
    const std::string hint = "Write one of these: " + ids + ".";
    refuse("bad-column", "There is no column '" + id + "' to sort by.", hint.c_str());
}

std::size_t mostOf(const Arguments& arguments) {
    constexpr std::size_t kUsual = 20;
    if (arguments.has("--all"))
        return std::numeric_limits<std::size_t>::max();
    return arguments.has("--top") ? numberOf(arguments, "--top") : kUsual;
}

/// Refuses what excludes something else before any file is read.
void checkOptions(const Arguments& arguments) {
    if (arguments.has("--csv") && arguments.has("--json"))
        refuse("two-formats", "--csv and --json exclude each other.", "Leave one of them out.");
    if (arguments.has("--iteration") && (arguments.has("--from") || arguments.has("--to")))
        refuse("two-parts", "--iteration excludes --from and --to.", "Leave one of them out.");
}

Interval iterationOf(const analysis::SteadyState& steady, const Arguments& arguments) {
    if (!steady.missing.empty())
        refuse("no-iteration", "There is no iteration. " + steady.missing,
               "Give the part with --from and --to.");
    const std::string wanted = arguments.value("--iteration");
    if (wanted == "typical" || wanted == "worst")
        return steady.iterations[wanted == "typical" ? steady.typical : steady.worst];
    const std::size_t number = numberOf(arguments, "--iteration");
    if (number > steady.iterations.size())
        refuse("no-iteration",
               "There are " + std::to_string(steady.iterations.size()) + " iterations, and no number " +
                   wanted + ".",
               "Write a smaller number.");
    return steady.iterations[number - 1];
}

analysis::Statistics countedIn(const recording::Recording& recording, const Arguments& arguments,
                               const RunControl& control) {
    const auto& known = recording.report.steadyState;
    const analysis::SteadyState steady =
        known ? *known : analysis::findSteadyState(*recording.facts, control);
    analysis::StatisticsWish wish{groupOf(arguments), {}, &steady, arguments.has("--each-number")};
    if (const TimeSlice slice = TimeSlice::from(arguments); !slice.isEverything())
        wish.part = windowOf(recording.trace, slice);
    if (arguments.has("--iteration"))
        wish.part = iterationOf(steady, arguments);
    const analysis::ExplainedWaits waits(*recording.facts, recording.report.ledger);
    return analysis::statisticsOf(*recording.facts, waits, wish, control);
}

int runStats(const Arguments& arguments) {
    checkOptions(arguments);
    const std::size_t most = mostOf(arguments);
    groupOf(arguments);
    columnOf(arguments);
    TimeSlice::from(arguments);
    recording::RecordingPtr recording;
    analysis::Statistics statistics;
    {
        const Console console;
        recording = openJudged(arguments.positional().front(), console.control());
        statistics = countedIn(*recording, arguments, console.control());
        if (arguments.has("--sort"))
            analysis::sortRows(statistics, columnOf(arguments));
    }
    if (arguments.has("--json"))
        printJson(io::statisticsToJson(statistics, {recording->trace, recording->file.string()}));
    else if (arguments.has("--csv"))
        printJson(io::statisticsToCsv(statistics));
    else
        print(statisticsText(statistics, most));
    return 0;
}

} // namespace

extern const Command kStatsCommand{
    "stats",
    "FILE [--by WHAT] [--from T] [--to T] [--iteration N] [--sort COLUMN] [--top N] [--all] [--csv] [--json]",
    "Counts by name: how often, how long, how much of it overlapped, what it waited for.",
    "Each row has count, total, mean, median, shortest, longest and standard deviation, the share of all "
    "device "
    "work, bytes and rate, how much of its device work ran beside work of another class, how long that work "
    "waited and which cause owns most of it. Calls, ranges and operators have the device work that they "
    "issued.",
    kStatsOptions,
    1,
    1,
    runStats};

} // namespace olab::cli
