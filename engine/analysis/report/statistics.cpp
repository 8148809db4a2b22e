#include <olab/analysis/statistics.h>

#include "facts/looks.h"
#include "facts/sums.h"
#include "report/issued_work.h"
#include "report/name_groups.h"
#include "report/spread.h"

#include <olab/analysis/named_ranges.h>
#include <olab/analysis/threads.h>
#include <olab/trace/trace.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace olab::analysis {
namespace {

bool isOfDevices(StatisticsGroup by) {
    return by <= StatisticsGroup::Copy;
}

/// Makes one table. Rows are in the order of the groups until they are sorted.
class StatisticsMaker {
public:
    StatisticsMaker(const TraceFacts& facts, const ExplainedWaits& waits, const StatisticsWish& wish,
                    const RunControl& control);
    Statistics make();

private:
    void findIterations();
    void countRows();
    void count(ActivityIndex row, StatisticsRow& in) const;
    void measureSpread();
    void addUpWork();
    void addUpRanges(WorkParts& parts);
    void putIntoOrder();
    std::uint32_t groupOf(ActivityIndex row) const {
        return m_skips[m_trace.queueOf(row).value] ? kNoNumber : m_made.rowOfKind[m_trace.kindOf(row)];
    }

    const TraceFacts& m_facts;
    const Trace& m_trace;
    const ExplainedWaits& m_waits;
    const StatisticsWish& m_wish;
    const RunControl& m_control;
    Interval m_part;
    Statistics m_made;
    std::vector<bool> m_skips;   ///< by queue: a profiler's copies of host ranges on a stream
    std::vector<WorkSum> m_sums; ///< by row
};

StatisticsMaker::StatisticsMaker(const TraceFacts& facts, const ExplainedWaits& waits,
                                 const StatisticsWish& wish, const RunControl& control)
    : m_facts(facts)
    , m_trace(facts.trace())
    , m_waits(waits)
    , m_wish(wish)
    , m_control(control)
    , m_part(partOf(wish.part))
    , m_skips(m_trace.queues().size() + 1) {
    for (const auto& [queue, of] : gpuRanges(m_trace))
        m_skips[queue.value] = true;
    NameGroups names = groupsOf(m_trace, wish.by, wish.eachNumber, control);
    m_made.by = wish.by;
    m_made.part = wish.part;
    m_made.knowsWork = isOfDevices(wish.by) || facts.hasApi();
    m_made.rowOfKind = std::move(names.ofKind);
    for (NameGroups::Group& group : names.groups) {
        StatisticsRow& row = m_made.rows.emplace_back();
        row.name = std::move(group.name), row.label = std::move(group.label), row.cls = group.cls;
    }
    m_sums.resize(m_made.rows.size());
}

/// Iterations follow each other without gaps.
void StatisticsMaker::findIterations() {
    if (!m_wish.steady || !m_wish.steady->missing.empty())
        return;
    for (const Interval& time : m_wish.steady->iterations) {
        if (time.begin < m_part.begin || time.end > m_part.end)
            continue;
        m_made.iterationsTime = {m_made.iterations == 0 ? time.begin : m_made.iterationsTime.begin, time.end};
        ++m_made.iterations;
    }
}

void StatisticsMaker::count(ActivityIndex row, StatisticsRow& in) const {
    const Interval time = m_trace.time(row), inPart = cutTo(time, m_part);
    ++in.count;
    in.cut += inPart.length() < time.length() ? 1 : 0;
    addCapped(in.total, inPart.length());
    if (m_made.iterations == 0)
        return;
    in.inIterations += m_made.iterationsTime.contains(time.begin) ? 1 : 0;
    addCapped(in.totalInIterations, cutTo(time, m_made.iterationsTime).length());
}

void StatisticsMaker::countRows() {
    for (ActivityIndex row = 0; row < m_trace.size(); ++row) {
        lookAtCancel(row, m_control);
        if (const std::uint32_t group = groupOf(row);
            group != kNoNumber && touches(m_trace.time(row), m_part))
            count(row, m_made.rows[group]);
    }
}

/// The durations of each row, one row after the other.
void StatisticsMaker::measureSpread() {
    std::vector<std::size_t> next(m_made.rows.size() + 1);
    for (std::size_t r = 0; r < m_made.rows.size(); ++r)
        next[r + 1] = next[r] + m_made.rows[r].count;
    std::vector<Ns> durations(next.back());
    for (ActivityIndex row = 0; row < m_trace.size(); ++row) {
        lookAtCancel(row, m_control);
        if (const std::uint32_t group = groupOf(row);
            group != kNoNumber && touches(m_trace.time(row), m_part))
            durations[next[group]++] = m_trace.duration(row);
    }
    for (std::size_t r = 0; r < m_made.rows.size(); ++r) {
        lookAtCancel(r, m_control);
        const std::size_t count = m_made.rows[r].count;
        setSpread(m_made.rows[r], {durations.data() + (next[r] - count), count});
    }
}

/// For device work and calls; for ranges only the total of the devices.
void StatisticsMaker::addUpWork() {
    WorkParts parts(m_facts, m_waits, m_wish.part);
    for (std::size_t number = 0; number < m_facts.deviceWork().size(); ++number) {
        lookAtCancel(number, m_control);
        const auto part = parts.of(number);
        if (!part)
            continue;
        addCapped(m_made.deviceTime, part->time);
        const ActivityIndex work = m_facts.deviceWork().row(number);
        const ActivityIndex row = isOfDevices(m_wish.by) ? work : m_facts.apiOf(work);
        if (const std::uint32_t group = row == kNoActivity ? kNoNumber : groupOf(row); group != kNoNumber)
            m_sums[group].add(*part);
    }
    if (m_wish.by == StatisticsGroup::Operator || m_wish.by == StatisticsGroup::Range)
        addUpRanges(parts);
}

/// Work issued in a range inside another range of the same name counts once.
void StatisticsMaker::addUpRanges(WorkParts& parts) {
    const auto issued = issuedWork(m_facts, parts, m_control);
    const auto isWanted = [this](ActivityIndex row) { return groupOf(row) != kNoNumber; };
    for (const auto& [thread, rows] : rangesByThread(m_trace, isWanted)) {
        const auto work = issued.find(thread);
        if (work == issued.end())
            continue;
        std::unordered_map<std::uint32_t, Ns> until; // by group: the latest end so far
        for (std::size_t i = 0; i < rows.size(); ++i) {
            lookAtCancel(i, m_control);
            const Interval time = m_trace.time(rows[i]);
            const std::uint32_t group = groupOf(rows[i]);
            Ns& known = until.try_emplace(group, time.begin).first->second;
            work->second.sumOf({std::max(known, time.begin), time.end}, m_sums[group]);
            known = std::max(known, time.end);
        }
    }
}

void StatisticsMaker::putIntoOrder() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t r = 0; r < m_made.rows.size(); ++r) {
        m_made.rows[r].work = m_sums[r].result();
        if (m_made.rows[r].count > 0)
            order.push_back(r);
    }
    const auto before = [this](std::uint32_t a, std::uint32_t b) {
        const StatisticsRow &x = m_made.rows[a], &y = m_made.rows[b];
        return x.total != y.total ? x.total > y.total : x.name < y.name;
    };
    std::ranges::sort(order, before);
    std::vector<StatisticsRow> rows;
    std::vector<std::uint32_t> places(m_made.rows.size(), kNoNumber);
    for (const std::uint32_t r : order) {
        places[r] = static_cast<std::uint32_t>(rows.size());
        rows.push_back(std::move(m_made.rows[r]));
    }
    m_made.rows = std::move(rows);
    for (std::uint32_t& row : m_made.rowOfKind)
        row = row == kNoNumber ? kNoNumber : places[row];
}

Statistics StatisticsMaker::make() {
    findIterations();
    m_control.report(-1, "counting");
    countRows();
    measureSpread();
    addUpWork();
    putIntoOrder();
    return std::move(m_made);
}

} // namespace

double Statistics::shareOf(const StatisticsRow& row) const {
    return deviceTime > 0 ? static_cast<double>(row.work.time) / static_cast<double>(deviceTime) : 0;
}

double Statistics::countPerIteration(const StatisticsRow& row) const {
    return iterations > 0 ? static_cast<double>(row.inIterations) / static_cast<double>(iterations) : 0;
}

Ns Statistics::totalPerIteration(const StatisticsRow& row) const {
    return iterations > 0 ? row.totalInIterations / static_cast<Ns>(iterations) : 0;
}

std::vector<ActivityIndex> Statistics::activitiesOf(const Trace& trace, std::size_t row) const {
    std::vector<ActivityIndex> found;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (rowOfKind[trace.kindOf(i)] == row && touches(trace.time(i), partOf(part)))
            found.push_back(i);
    return found;
}

Statistics statisticsOf(const TraceFacts& facts, const ExplainedWaits& waits, const StatisticsWish& wish,
                        const RunControl& control) {
    return StatisticsMaker(facts, waits, wish, control).make();
}

std::span<const StatisticsColumn> statisticsColumns() {
    using Row = const StatisticsRow&;
    static constexpr StatisticsColumn kColumns[] = {
        {"total", [](Row row) -> std::int64_t { return row.total; }},
        {"count", [](Row row) -> std::int64_t { return static_cast<std::int64_t>(row.count); }},
        {"mean", [](Row row) -> std::int64_t { return row.mean; }},
        {"median", [](Row row) -> std::int64_t { return row.median; }},
        {"min", [](Row row) -> std::int64_t { return row.shortest; }},
        {"max", [](Row row) -> std::int64_t { return row.longest; }},
        {"stddev", [](Row row) -> std::int64_t { return row.spread; }},
        {"time", [](Row row) -> std::int64_t { return row.work.time; }},
        {"overlapped", [](Row row) -> std::int64_t { return row.work.overlapped; }},
        {"waited", [](Row row) -> std::int64_t { return row.work.waited; }},
        {"bytes", [](Row row) -> std::int64_t { return row.work.bytes; }},
        {"name", nullptr}};
    return kColumns;
}

void sortRows(Statistics& statistics, const StatisticsColumn& column) {
    std::vector<std::uint32_t> order(statistics.rows.size()), place(order.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const StatisticsRow &x = statistics.rows[a], &y = statistics.rows[b];
        return column.worth ? column.worth(x) > column.worth(y) : x.name < y.name;
    });
    std::vector<StatisticsRow> sorted;
    for (const std::uint32_t row : order) {
        place[row] = static_cast<std::uint32_t>(sorted.size());
        sorted.push_back(std::move(statistics.rows[row]));
    }
    statistics.rows = std::move(sorted);
    for (std::uint32_t& row : statistics.rowOfKind)
        row = row == kNoNumber ? kNoNumber : place[row];
}

} // namespace olab::analysis
