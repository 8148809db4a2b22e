#include <olab/io/statistics_table.h>

#include <olab/trace/value_text.h>

#include <nlohmann/json.hpp>

namespace olab::io {
namespace {

using StatisticsJson = nlohmann::ordered_json;
using analysis::NamedWork;
using analysis::Statistics;
using analysis::StatisticsRow;

StatisticsJson workJson(const Statistics& of, const StatisticsRow& row) {
    if (!of.knowsWork)
        return nullptr;
    const NamedWork& work = row.work;
    const auto rate = work.rate();
    const bool waited = work.waited > 0;
    return {{"count", work.count},
            {"time_ns", work.time},
            {"share", of.shareOf(row)},
            {"overlapped_ns", work.overlapped},
            {"overlapped_share", work.overlappedShare()},
            {"waited_ns", work.waited},
            {"cause", waited ? StatisticsJson(analysis::waitCauseId(work.cause)) : StatisticsJson()},
            {"cause_ns", waited ? StatisticsJson(work.byCause) : StatisticsJson()},
            {"bytes", work.bytes},
            {"gb_per_s", rate ? StatisticsJson(*rate) : StatisticsJson()}};
}

StatisticsJson perIterationJson(const Statistics& of, const StatisticsRow& row) {
    if (of.iterations == 0)
        return nullptr;
    return {{"count", of.countPerIteration(row)}, {"total_ns", of.totalPerIteration(row)}};
}

StatisticsJson rowJson(const Statistics& of, const StatisticsRow& row) {
    return {{"name", row.name},          {"class", className(row.cls)},
            {"count", row.count},        {"cut", row.cut},
            {"total_ns", row.total},     {"mean_ns", row.mean},
            {"median_ns", row.median},   {"min_ns", row.shortest},
            {"max_ns", row.longest},     {"stddev_ns", row.spread},
            {"work", workJson(of, row)}, {"per_iteration", perIterationJson(of, row)}};
}

/// Null: farther from each other than a number says.
StatisticsJson sinceJson(Ns origin, Ns time) {
    Ns since = 0;
    return __builtin_sub_overflow(time, origin, &since) ? StatisticsJson() : StatisticsJson(since);
}

/// Counted as on every ruler: from the first device work. Null: an end that lies outside of the recording.
StatisticsJson timeJson(Interval time, const Trace& trace) {
    const Interval all = trace.span(), device = trace.deviceSpan();
    const Ns origin = device.length() == 0 ? all.begin : device.begin;
    return {{"from_ns", time.begin >= all.begin ? sinceJson(origin, time.begin) : StatisticsJson()},
            {"to_ns", time.end <= all.end ? sinceJson(origin, time.end) : StatisticsJson()}};
}

StatisticsJson iterationsJson(const Statistics& of, const Trace& trace) {
    if (of.iterations == 0)
        return nullptr;
    StatisticsJson json = timeJson(of.iterationsTime, trace);
    json["count"] = of.iterations;
    return json;
}

constexpr std::string_view kColumns =
    "name,class,count,cut,total_ns,mean_ns,median_ns,min_ns,max_ns,stddev_ns,work_count,work_ns,share,"
    "overlapped_ns,waited_ns,cause,cause_ns,bytes,gb_per_s,count_per_iteration,total_per_iteration_ns\n";

std::string numbersCsv(const StatisticsRow& row) {
    std::string line = csvText(row.name) + "," + std::string(className(row.cls));
    for (const std::uint64_t count : {row.count, row.cut})
        line += "," + std::to_string(count);
    for (const Ns time : {row.total, row.mean, row.median, row.shortest, row.longest, row.spread})
        line += "," + std::to_string(time);
    return line;
}

std::string workCsv(const Statistics& of, const StatisticsRow& row) {
    if (!of.knowsWork)
        return ",,,,,,,,,";
    const NamedWork& work = row.work;
    const auto rate = work.rate();
    const bool waited = work.waited > 0;
    return "," + std::to_string(work.count) + "," + std::to_string(work.time) + "," +
           fixedText(of.shareOf(row), 6) + "," + std::to_string(work.overlapped) + "," +
           std::to_string(work.waited) + "," +
           (waited ? std::string(analysis::waitCauseId(work.cause)) : std::string()) + "," +
           (waited ? std::to_string(work.byCause) : "") + "," + std::to_string(work.bytes) + "," +
           (rate ? fixedText(*rate, 3) : "");
}

std::string perIterationCsv(const Statistics& of, const StatisticsRow& row) {
    return of.iterations == 0 ? ",,"
                              : "," + fixedText(of.countPerIteration(row), 3) + "," +
                                    std::to_string(of.totalPerIteration(row));
}

} // namespace

std::string statisticsToJson(const Statistics& statistics, const StatisticsContext& context) {
    StatisticsJson rows = StatisticsJson::array();
    for (const StatisticsRow& row : statistics.rows)
        rows.push_back(rowJson(statistics, row));
    const StatisticsJson json{
        {"format", "olab-statistics"},
        {"version", 1},
        {"file", context.file},
        {"by", analysis::statisticsGroupRow(statistics.by).id},
        {"part", statistics.part ? timeJson(*statistics.part, context.trace) : StatisticsJson()},
        {"device_time_ns", statistics.deviceTime},
        {"iterations", iterationsJson(statistics, context.trace)},
        {"rows", std::move(rows)}};
    return json.dump(2, ' ', false, StatisticsJson::error_handler_t::replace) + "\n";
}

std::string statisticsToCsv(const Statistics& statistics) {
    std::string text(kColumns);
    for (const StatisticsRow& row : statistics.rows)
        text += numbersCsv(row) + workCsv(statistics, row) + perIterationCsv(statistics, row) + "\n";
    return text;
}

} // namespace olab::io
