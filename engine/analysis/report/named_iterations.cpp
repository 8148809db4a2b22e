#include "facts/looks.h"
#include "facts/sums.h"
#include "report/begins.h"

#include <olab/analysis/framework.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <limits>
#include <map>

namespace olab::analysis {
namespace {

constexpr double kCovers = 0.5; ///< of the device work: a repeated range that covers this much is no detail
constexpr Ns kMostSpread = 10;  ///< times what frames of one function take if each takes what most of them do
constexpr std::string_view kStep = "ProfilerStep#";
constexpr std::string_view kBuiltIn = "<built-in"; ///< of Python: builtins are not iterations

/// "iteration 12" -> "iteration #": numbered ranges are the same range again.
std::string withoutNumbers(std::string_view text) {
    std::string plain;
    for (const char c : text)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0)
            plain += c;
        else if (plain.empty() || plain.back() != '#')
            plain += '#';
    return plain;
}

struct Range {
    Interval time;
    std::uint16_t thread = 0;
};

/// Begin of the first device work issued in each range; without recorded calls the range itself.
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
        for (const auto& [call, work] : issued) { // works of two streams may begin in another order
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

/// Profilers repeat a thread's ranges for each stream as seen by the device: the thread's own count.
void keepThoseOfCallers(const std::vector<bool>& callers, std::vector<Range>& ranges) {
    const auto calls = [&](const Range& range) { return callers[range.thread]; };
    if (std::ranges::any_of(ranges, calls))
        std::erase_if(ranges, std::not_fn(calls));
}

/// The outermost ranges of one name, on the thread that has most of them.
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

/// Total time if each took the usual time: nobody marked these ranges as iterations, and one that loads code
/// for a second is not typical of many that take microseconds.
Ns usualTotal(const std::vector<Interval>& ranges) {
    return upperMedianOf(lengthsOf(ranges)) * static_cast<Ns>(ranges.size());
}

} // namespace

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

} // namespace olab::analysis
