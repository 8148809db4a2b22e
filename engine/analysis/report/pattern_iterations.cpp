#include "report/begins.h"
#include "report/repetition.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

namespace olab::analysis {
namespace {

/// By busy time, the longest first: within one stream the order is that of the program.
std::vector<QueueId> busiestStreams(const TraceFacts& facts) {
    constexpr std::size_t kMost = 3;
    const Trace& trace = facts.trace();
    std::vector<double> busy(
        trace.queues().size()); // a double, because a sum of absurd times may overflow Ns
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n);
        if (isMigration(trace, row)) // they occur as often as pages happen to be missing
            continue;
        busy[trace.queueOf(row).value] += static_cast<double>(trace.duration(row));
    }
    std::vector<QueueId> streams;
    for (std::size_t q = 0; q < busy.size(); ++q)
        if (busy[q] > 0)
            streams.push_back(QueueId{static_cast<std::uint16_t>(q)});
    std::ranges::stable_sort(streams, std::greater<>{}, [&](QueueId q) { return busy[q.value]; });
    streams.resize(std::min(streams.size(), kMost));
    return streams;
}

/// What two operations of a stream must share to be the same step of two iterations. Grid sizes only count if
/// nothing else distinguishes steps, since a step may have varying amounts of work. too only where nothing
/// else tells them apart, since a step may have more to do than another.
enum class Same : std::uint8_t { Name, NameAndSize };

std::vector<std::uint32_t> symbolsOf(const Trace& trace, const std::vector<ActivityIndex>& rows, Same same) {
    std::map<std::tuple<ActivityClass, std::uint32_t, std::uint32_t>, std::uint32_t> ids;
    std::vector<std::uint32_t> ofKind(trace.kinds().size(), kNoNumber), symbols;
    for (const ActivityIndex row : rows) {
        std::uint32_t& id = ofKind[trace.kindOf(row)];
        if (id == kNoNumber)
            id = ids.try_emplace({trace.cls(row), trace.nameOf(row).value,
                                  same == Same::Name ? kNoNumber : trace.geometryOf(row)},
                                 static_cast<std::uint32_t>(ids.size()))
                     .first->second;
        symbols.push_back(id);
    }
    return symbols;
}

struct RepeatedRows {
    std::vector<ActivityIndex> rows; ///< of a stream
    Repetition found;
};

std::size_t repeatedRows(const RepeatedRows& of) {
    return of.found.end - of.found.begin;
}

/// Which operations are examined: copies that another thread puts into the stream may come anywhere.
enum class Of : std::uint8_t { All, Kernels };

/// The stream with the most repeating operations: one that only copies results back says little.
RepeatedRows mostRepeated(const TraceFacts& facts, const RunControl& control, Same same, Of which = Of::All) {
    RepeatedRows best;
    for (const QueueId stream : busiestStreams(facts)) {
        RepeatedRows of;
        for (const ActivityIndex row : facts.ofStream(stream))
            if (!isMigration(facts.trace(), row) &&
                (which == Of::All || facts.trace().cls(row) == ActivityClass::Kernel))
                of.rows.push_back(row);
        of.found = repetitionOf(symbolsOf(facts.trace(), of.rows, same), kFewestIterations);
        control.throwIfCancelled();
        if (of.found.period > 0 && (best.found.period == 0 || repeatedRows(of) > 2 * repeatedRows(best)))
            best = std::move(of);
    }
    return best;
}

RepeatedRows mostRepeated(const TraceFacts& facts, const RunControl& control) {
    RepeatedRows byName = mostRepeated(facts, control, Same::Name);
    if (byName.found.period != 1) {
        if (2 * repeatedRows(byName) >= byName.rows.size() && byName.found.period != 0)
            return byName;
        RepeatedRows kernels = mostRepeated(facts, control, Same::Name, Of::Kernels);
        const bool isMore = kernels.found.period > 1 && repeatedRows(kernels) > 2 * repeatedRows(byName);
        return isMore ? kernels : byName;
    }
    RepeatedRows bySize = mostRepeated(facts, control, Same::NameAndSize);
    return bySize.found.period > 1 ? bySize : byName;
}

struct StepKind {
    ActivityClass cls{};
    std::uint32_t name = 0;
    std::uint16_t queue = 0;
    friend auto operator<=>(const StepKind&, const StepKind&) = default;
};

/// Begins of an operation that occurs once per iteration: the one on the device with the longest pause before
/// it, so that as little work as possible crosses the border.
struct Marks {
    StepKind kind;
    std::vector<ActivityIndex> rows;
    std::size_t kinds = 0; ///< operations that occur once per iteration
};

/// `span`: the time in which the device repeats itself `times` times.
Marks borders(const TraceFacts& facts, std::uint8_t device, Interval span, std::size_t times) {
    const Trace& trace = facts.trace();
    std::map<StepKind, std::pair<std::vector<Ns>, std::vector<ActivityIndex>>> seen; // pauses, where
    Ns busyUntil = span.begin;
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n);
        if (trace.device(row) != device || trace.begin(row) < span.begin || trace.begin(row) >= span.end)
            continue;
        auto& [pauses, rows] = seen[{trace.cls(row), trace.nameOf(row).value, trace.queueOf(row).value}];
        pauses.push_back(trace.begin(row) - busyUntil);
        rows.push_back(row);
        busyUntil = std::max(busyUntil, trace.end(row));
    }
    Marks best;
    Ns most = std::numeric_limits<Ns>::min();
    for (auto& [kind, found] : seen) {
        if (found.second.size() + 1 < times || found.second.size() > times + 1)
            continue;
        ++best.kinds;
        if (const Ns pause = upperMedianOf(std::move(found.first)); pause > most)
            most = pause, best.kind = kind, best.rows = std::move(found.second);
    }
    return best;
}

} // namespace

Begins patternIterations(const TraceFacts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    Begins begins;
    const auto [rows, found] = mostRepeated(facts, control);
    if (found.period == 0)
        return begins;
    const std::size_t times = (found.end - found.begin) / found.period;
    const Interval main{trace.begin(rows[found.begin]), trace.end(rows[found.end - 1])};
    // The first work of other streams may begin before that of the main one.
    const Ns before = found.begin == 0 ? main.length() / static_cast<Ns>(times) / 2 : 0;
    const Marks marks =
        borders(facts, trace.device(rows[found.begin]), {main.begin - before, main.end}, times);
    if (found.period < 2 && marks.kinds < 2) // one repeated operation is no iteration
        return begins;
    for (const ActivityIndex row : marks.rows)
        begins.at.push_back(trace.begin(row));
    if (marks.rows.empty()) // each step occurs several times: use any of them
        for (std::size_t i = found.begin; i < found.end; i += found.period)
            begins.at.push_back(trace.begin(rows[i]));
    if (begins.at.size() < kFewestIterations)
        return {};
    const ActivityIndex first = marks.rows.empty() ? rows[found.begin] : marks.rows.front();
    begins.mark = IterationMark::Pattern;
    begins.operations = found.period;
    begins.name = std::string(trace.text(trace.nameOf(first)));
    if (begins.name.empty())
        begins.name = std::string(classLabel(trace.cls(first)));
    // The last one is complete if it is at least half as long as the others; it ends with its work.
    const Ns usual = main.length() / static_cast<Ns>(times);
    begins.end = main.end;
    if (begins.end - begins.at.back() < usual / 2) {
        begins.end = begins.at.back();
        begins.at.pop_back();
    }
    return begins;
}

} // namespace olab::analysis
