#include "command.h"

#include "console.h"
#include "opened_recording.h"
#include "statistics_text.h"
#include "text_report.h"
#include "time_slice.h"

#include <olab/analysis/statistics.h>
#include <olab/io/statistics_table.h>

#include <charconv>

namespace olab::cli {
namespace {

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
