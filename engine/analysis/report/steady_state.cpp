#include <olab/analysis/steady_state.h>

#include "facts/looks.h"
#include "facts/sentences.h"
#include "facts/sums.h"
#include "report/host_loop.h"
#include "report/repetition.h"

#include <olab/analysis/framework.h>
#include <olab/analysis/waits.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <tuple>

namespace olab::analysis {
namespace {

constexpr double kCovers = 0.5; ///< of the device work: a range that comes again and again is no detail
constexpr double kSlower = 1.2; ///< than the median, at the begin: still warming up
constexpr Ns kScatters = 5;     ///< times the jitter: the same
constexpr std::size_t kMostRampUp = 4; ///< one in so many
constexpr Ns kMostSpread = 10; ///< times what frames of one function take if each takes what most of them do
constexpr Ns kMostTime = Ns{1} << 62; ///< sums and differences of two have room
constexpr std::string_view kStep = "ProfilerStep#";
constexpr std::string_view kBuiltIn =
    "<built-in"; ///< of Python: what is called again and again is no iteration

/// The program said itself what its steps are; anything else may repeat by chance.
std::size_t fewestOf(IterationMark mark) {
    return mark == IterationMark::Steps ? kFewestSteps : kFewestIterations;
}

/// "iteration 12" -> "iteration #": ranges that are numbered are the same one again.
std::string withoutNumbers(std::string_view text) {
    std::string plain;
    for (const char c : text)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0)
            plain += c;
        else if (plain.empty() || plain.back() != '#')
            plain += '#';
    return plain;
}

Ns upperMedianOf(std::vector<Ns> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

std::vector<Ns> lengthsOf(const std::vector<Interval>& iterations) {
    std::vector<Ns> lengths;
    for (const Interval& time : iterations)
        lengths.push_back(time.length());
    return lengths;
}

// --- what the program named

struct Range {
    Interval time;
    std::uint16_t thread = 0;
};

/// When the first device work begins that was issued in each; where no calls were recorded as it is.
class WorkOf {
public:
    explicit WorkOf(const TraceFacts& facts) {
        if (!facts.hasApi())
            return;
        Ns last = std::numeric_limits<Ns>::min();
        std::vector<std::pair<Ns, Ns>> issued; // call, work
        for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
            const ActivityIndex row = facts.deviceWork().row(n), call = facts.apiOf(row);
            if (call != kNoActivity)
                issued.emplace_back(facts.trace().begin(call), facts.trace().begin(row));
        }
        std::ranges::sort(issued);
        for (const auto& [call, work] : issued) { // work of two streams may begin in another order
            m_calls.push_back(call);
            m_works.push_back(last = std::max(last, work));
        }
    }
    Ns beginOf(Ns time) const {
        if (m_calls.empty())
            return time;
        const auto at = std::ranges::lower_bound(m_calls, time);
        return at == m_calls.end() ? std::max(time, m_works.back())
                                   : m_works[static_cast<std::size_t>(at - m_calls.begin())];
    }

private:
    std::vector<Ns> m_calls, m_works;
};

/// Per queue: whether it is a thread that made calls.
std::vector<bool> callersOf(const TraceFacts& facts) {
    std::vector<bool> callers;
    for (std::size_t q = 0; q < facts.trace().queues().size(); ++q)
        callers.push_back(!facts.ofThread(QueueId{static_cast<std::uint16_t>(q)}).empty());
    return callers;
}

/// Profilers repeat what a thread named for each stream, as a device saw it: what the thread said counts.
void keepThoseOfCallers(const std::vector<bool>& callers, std::vector<Range>& ranges) {
    const auto calls = [&](const Range& range) { return callers[range.thread]; };
    if (std::ranges::any_of(ranges, calls))
        std::erase_if(ranges, std::not_fn(calls));
}

/// Those of one name on the thread that has most of them, outermost only.
std::vector<Interval> outermost(std::vector<Range>& ranges) {
    std::map<std::uint16_t, std::size_t> counts;
    for (const Range& range : ranges)
        ++counts[range.thread];
    const auto thread = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->first;
    std::ranges::stable_sort(ranges, {}, [](const Range& r) { return r.time.begin; });
    std::vector<Interval> found;
    for (const Range& range : ranges)
        if (range.thread == thread && (found.empty() || range.time.begin >= found.back().end))
            found.push_back(range.time);
    return found;
}

/// What they take if each takes as long as most of them: nobody said that they are iterations, and one that
/// loads code for a second is none of many that take some microseconds.
Ns usualTotal(const std::vector<Interval>& ranges) {
    return upperMedianOf(lengthsOf(ranges)) * static_cast<Ns>(ranges.size());
}

Begins namedIterations(const TraceFacts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    std::map<std::string, std::vector<Range>> byName;
    std::vector<std::string> names(trace.texts());
    for (ActivityIndex row = 0; facts.count(ActivityClass::Nvtx) > 0 && row < trace.size(); ++row) {
        lookAtCancel(row, control);
        if (trace.cls(row) != ActivityClass::Nvtx || trace.duration(row) == 0)
            continue;
        std::string& name = names[trace.nameOf(row).value];
        if (name.empty())
            name = withoutNumbers(trace.text(trace.nameOf(row)));
        if (!name.empty() && !name.starts_with(kBuiltIn))
            byName[name].push_back({trace.time(row), trace.queueOf(row).value});
    }
    Begins best;
    Ns covered = 0;
    std::vector<Interval> chosen;
    const Interval device = trace.deviceSpan();
    const std::vector<bool> callers = callersOf(facts);
    for (auto& [name, ranges] : byName) {
        const bool isStep = name == kStep;
        const std::size_t fewest = fewestOf(isStep ? IterationMark::Steps : IterationMark::Ranges);
        keepThoseOfCallers(callers, ranges);
        if (ranges.size() < fewest)
            continue;
        std::vector<Interval> found = outermost(ranges);
        Ns total = 0;
        for (const Interval& time : found)
            addCapped(total,
                      std::max<Ns>(0, std::min(time.end, device.end) - std::max(time.begin, device.begin)));
        const bool isOfAll = isPythonFrame(name) || !operatorOf(name).empty(); // one may be long by chance
        if (isOfAll && usualTotal(found) < total / kMostSpread)
            continue;
        const bool isMore = total > covered || (total == covered && found.size() < chosen.size());
        if (found.size() < fewest || (!isStep && (best.mark == IterationMark::Steps || !isMore)) ||
            (!isStep && static_cast<double>(total) < kCovers * static_cast<double>(device.length())))
            continue;
        best.mark = isStep ? IterationMark::Steps : IterationMark::Ranges;
        best.name = name;
        covered = total;
        chosen = std::move(found);
    }
    if (best.mark == IterationMark::None)
        return best;
    const WorkOf work(facts);
    for (const Interval& time : chosen)
        if (const Ns begin = work.beginOf(time.begin); best.at.empty() || begin > best.at.back())
            best.at.push_back(begin);
    best.end = work.beginOf(chosen.back().end);
    if (best.end <= best.at.back())
        best.end = std::max(device.end, best.at.back() + 1);
    return best;
}

// --- the pattern of operations

/// Those that are busy longest, that first: of one stream the order is that of the program.
std::vector<QueueId> busiestStreams(const TraceFacts& facts) {
    constexpr std::size_t kMost = 3;
    const Trace& trace = facts.trace();
    std::vector<double> busy(trace.queues().size()); // a sum of absurd times has no room in Ns
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n);
        if (isMigration(trace, row)) // as often as pages happen to be missing
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

/// What two operations of a stream must share to be the same step of two iterations: the size of their grids
/// too only where nothing else tells them apart, since a step may have more to do than another.
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

/// The stream of which most operations are part of its repetition: one that only copies results back says
/// little.
RepeatedRows mostRepeated(const TraceFacts& facts, const RunControl& control, Same same) {
    RepeatedRows best;
    for (const QueueId stream : busiestStreams(facts)) {
        RepeatedRows of;
        for (const ActivityIndex row : facts.ofStream(stream))
            if (!isMigration(facts.trace(), row))
                of.rows.push_back(row);
        of.found = repetitionOf(symbolsOf(facts.trace(), of.rows, same), kFewestIterations);
        control.throwIfCancelled();
        if (of.found.period > 0 && (best.found.period == 0 ||
                                    of.found.end - of.found.begin > 2 * (best.found.end - best.found.begin)))
            best = std::move(of);
    }
    return best;
}

RepeatedRows mostRepeated(const TraceFacts& facts, const RunControl& control) {
    RepeatedRows byName = mostRepeated(facts, control, Same::Name);
    if (byName.found.period != 1)
        return byName;
    RepeatedRows bySize = mostRepeated(facts, control, Same::NameAndSize);
    return bySize.found.period > 1 ? bySize : byName;
}

struct Kind {
    ActivityClass cls{};
    std::uint32_t name = 0;
    std::uint16_t queue = 0;
    friend auto operator<=>(const Kind&, const Kind&) = default;
};

/// The begins of an operation that comes once in each iteration: of all of the device the one with the
/// longest pause before it, so that as little as can be lies across the border of two.
struct Marks {
    Kind kind;
    std::vector<ActivityIndex> rows;
    std::size_t kinds = 0; ///< of operations that come once in each
};

/// `span`: in which the device repeats itself `times` times.
Marks borders(const TraceFacts& facts, std::uint8_t device, Interval span, std::size_t times) {
    const Trace& trace = facts.trace();
    std::map<Kind, std::pair<std::vector<Ns>, std::vector<ActivityIndex>>> seen; // pauses, where
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

Begins patternIterations(const TraceFacts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    Begins begins;
    const auto [rows, found] = mostRepeated(facts, control);
    if (found.period == 0)
        return begins;
    const std::size_t times = (found.end - found.begin) / found.period;
    const Interval main{trace.begin(rows[found.begin]), trace.end(rows[found.end - 1])};
    // What other streams do first may begin before the first of the main one.
    const Ns before = found.begin == 0 ? main.length() / static_cast<Ns>(times) / 2 : 0;
    const Marks marks =
        borders(facts, trace.device(rows[found.begin]), {main.begin - before, main.end}, times);
    if (found.period < 2 && marks.kinds < 2) // one operation again and again is no iteration
        return begins;
    for (const ActivityIndex row : marks.rows)
        begins.at.push_back(trace.begin(row));
    if (marks.rows.empty()) // each step of it comes several times: any will do
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
    // The last one is whole if it is as long as half of the others; its end is that of its work.
    const Ns usual = main.length() / static_cast<Ns>(times);
    begins.end = main.end;
    if (begins.end - begins.at.back() < usual / 2) {
        begins.end = begins.at.back();
        begins.at.pop_back();
    }
    return begins;
}

// --- what they have in common

Ns jitterOf(const std::vector<Interval>& iterations, Ns period) {
    std::vector<Ns> apart;
    for (const Interval& time : iterations)
        apart.push_back(std::abs(time.length() - period));
    return upperMedianOf(std::move(apart));
}

/// The first ones are often slow: what is loaded and allocated then is no part of the steady state.
void leaveOutRampUp(SteadyState& found) {
    const Ns period = upperMedianOf(lengthsOf(found.iterations));
    const Ns usual = std::max(static_cast<Ns>(kSlower * static_cast<double>(period)),
                              period + kScatters * jitterOf(found.iterations, period));
    const std::size_t fewest = std::min(found.iterations.size(), kFewestIterations);
    const std::size_t most =
        std::min(found.iterations.size() / kMostRampUp, found.iterations.size() - fewest);
    std::size_t slow = 0;
    while (slow < most && found.iterations[slow].length() > usual)
        ++slow;
    found.iterations.erase(found.iterations.begin(),
                           found.iterations.begin() + static_cast<std::ptrdiff_t>(slow));
    found.before = slow;
}

void measure(SteadyState& found, Interval device) {
    const auto lengths = lengthsOf(found.iterations);
    found.period = upperMedianOf(lengths);
    found.jitter = jitterOf(found.iterations, found.period);
    const auto nearest =
        std::ranges::min_element(lengths, {}, [&](Ns length) { return std::abs(length - found.period); });
    const auto longest = std::ranges::max_element(lengths);
    found.typical = static_cast<std::size_t>(nearest - lengths.begin());
    found.worst = static_cast<std::size_t>(longest - lengths.begin());
    found.shortest = *std::ranges::min_element(lengths);
    found.longest = *longest;
    found.time = {found.iterations.front().begin, found.iterations.back().end};
    found.rampUp = std::max<Ns>(0, found.time.begin - device.begin);
    found.rampDown = std::max<Ns>(0, device.end - found.time.end);
}

std::string textOf(const SteadyState& found) {
    const std::string by = found.mark == IterationMark::Pattern
                               ? "by the pattern of " + std::to_string(found.operations) + " operations"
                               : "by the ranges " + found.name;
    std::string text = std::to_string(found.iterations.size()) + " iterations, found " + by + ": " +
                       timeText(found.period) + " each, half of them within " + timeText(found.jitter) +
                       " of that; the worst takes " + timeText(found.longest) + ".";
    if (found.rampUp > found.period)
        text += " Not counted: " + timeText(found.rampUp) + " before them" +
                (found.before > 0 ? ", with " + std::to_string(found.before) + " that were slower." : ".");
    return text;
}

} // namespace

std::string_view iterationMarkName(IterationMark mark) {
    constexpr std::string_view kNames[] = {"none", "steps", "ranges", "pattern"};
    return kNames[static_cast<std::size_t>(mark)];
}

SteadyState findSteadyState(const TraceFacts& facts, const RunControl& control) {
    SteadyState found;
    const Interval span = facts.trace().span();
    if (span.begin < -kMostTime || span.end > kMostTime) {
        found.missing = "Its times are too far from each other to be added up.";
        return found;
    }
    Begins begins = namedIterations(facts, control);
    if (begins.at.size() < fewestOf(begins.mark))
        begins = patternIterations(facts, control);
    if (begins.at.size() < fewestOf(begins.mark) && !facts.trace().hasTracedWindow())
        begins = hostLoop(facts, control);
    if (begins.at.size() < fewestOf(begins.mark)) {
        found.missing = "Nothing in it is repeated at least " + std::to_string(kFewestIterations) +
                        " times: no steps, no ranges, and no pattern of the operations of a stream.";
        return found;
    }
    found.mark = begins.mark, found.name = std::move(begins.name), found.operations = begins.operations;
    for (std::size_t i = 0; i < begins.at.size(); ++i) {
        const Ns end = i + 1 < begins.at.size() ? begins.at[i + 1] : begins.end;
        if (end > begins.at[i])
            found.iterations.push_back({begins.at[i], end});
    }
    if (found.iterations.size() < fewestOf(found.mark)) {
        SteadyState none;
        none.missing = "What is repeated in it takes no time: its begins are at the same moment.";
        return none;
    }
    leaveOutRampUp(found);
    measure(found, facts.trace().deviceSpan());
    found.text = textOf(found);
    return found;
}

} // namespace olab::analysis
