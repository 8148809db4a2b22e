#include <olab/analysis/full_queue.h>

#include <olab/trace/index_search.h>

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr Ns kLong = 50'000;         ///< a call that issues takes microseconds
constexpr Ns kTimesAsLong = 20;      ///< as the median of its name
constexpr Ns kLongIfSaid = 10'000;   ///< of what CUPTI says to have been waiting for room
constexpr std::size_t kManyFull = 2; ///< such calls: one alone may have another reason

/// Number of operations issued but not begun, from existing indices, so that a query needs no pass.
class QueueContents {
public:
    explicit QueueContents(const TraceFacts& facts)
        : m_facts(facts) {
        const Trace& trace = facts.trace();
        if (facts.count(ActivityClass::HostFn) > 0)
            for (ActivityIndex row = 0; row < trace.size(); ++row)
                if (trace.cls(row) == ActivityClass::HostFn && facts.apiOf(row) != kNoActivity)
                    m_hostFns.push_back(row);
    }
    std::uint64_t before(ActivityIndex call) const {
        const auto issued = m_facts.byCall();
        const std::size_t count =
            firstNotBefore(0, issued.size(), [&](std::size_t i) { return m_facts.apiOf(issued[i]) < call; });
        return count - std::min(count, begunUntil(m_facts.trace().begin(call)));
    }
    std::size_t begunUntil(Ns t) const {
        const Trace& trace = m_facts.trace();
        const DeviceWork& work = m_facts.deviceWork();
        return firstNotBefore(0, work.size(), [&](std::size_t n) { return trace.begin(work.row(n)) <= t; }) +
               firstNotBefore(0, m_hostFns.size(),
                              [&](std::size_t n) { return trace.begin(m_hostFns[n]) <= t; });
    }

private:
    const TraceFacts& m_facts;
    std::vector<ActivityIndex> m_hostFns;
};

/// By name: duration from which a call counts as waiting; 0: none waited.
std::vector<Ns> longCalls(const TraceFacts& facts) {
    std::vector<Ns> least(facts.trace().texts(), 0);
    const auto& api = facts.host().numbers.api;
    for (std::uint32_t id = 1; id < least.size(); ++id)
        if (const auto known = api.find(std::string(facts.trace().text(StringId{id}))); known != api.end()) {
            const Ns from = std::max(kLong, kTimesAsLong * known->second.median);
            least[id] = known->second.max >= from ? from : 0;
        }
    return least;
}

/// According to CUPTI: the part of each call that waited for room.
class SaidWaits {
public:
    explicit SaidWaits(const Trace& trace)
        : m_trace(trace) {
        for (ActivityIndex row = 0; row < trace.size(); ++row)
            if (trace.cls(row) == ActivityClass::Overhead && saysBufferFull(trace, row))
                m_rows.push_back(row);
    }
    bool any() const { return !m_rows.empty(); }
    Ns of(ActivityIndex call) const {
        const Interval time = m_trace.time(call);
        auto at = std::ranges::lower_bound(m_rows, time.begin, {},
                                           [&](ActivityIndex row) { return m_trace.begin(row); });
        Ns waited = 0;
        for (; at != m_rows.end() && m_trace.begin(*at) < time.end; ++at)
            if (m_trace.queueOf(*at) == m_trace.queueOf(call))
                waited += m_trace.duration(*at);
        return waited;
    }

private:
    const Trace& m_trace;
    std::vector<ActivityIndex> m_rows;
};

/// The call put something into a queue and returned before that had ended.
bool issuedMoreThanItWaitedFor(const TraceFacts& facts, ActivityIndex call) {
    const auto issued = facts.issuedBy(call);
    return !issued.empty() && std::ranges::all_of(issued, [&](ActivityIndex row) {
        return facts.trace().end(row) > facts.trace().end(call);
    });
}

} // namespace

bool saysBufferFull(const Trace& trace, ActivityIndex row) {
    return trace.cls(row) == ActivityClass::Overhead &&
           trace.text(trace.nameOf(row)).find("buffer full") != std::string_view::npos;
}

std::vector<FullQueue> fullQueueCalls(const TraceFacts& facts) {
    if (!facts.hasApi() || facts.deviceWork().size() <= kLeastQueue)
        return {};
    const Trace& trace = facts.trace();
    const std::vector<Ns> least = longCalls(facts);
    const SaidWaits said(trace);
    if (!said.any() && std::ranges::all_of(least, [](Ns from) { return from == 0; }))
        return {};
    const QueueContents queues(facts);
    const auto tookLong = [&](ActivityIndex call) {
        const Ns from = least[trace.nameOf(call).value];
        return (from > 0 && trace.duration(call) >= from) || (said.any() && said.of(call) >= kLongIfSaid);
    };
    std::vector<FullQueue> found;
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        if (trace.cls(row) != ActivityClass::Api || !tookLong(row) || !issuedMoreThanItWaitedFor(facts, row))
            continue;
        const Interval time = trace.time(row);
        const std::uint64_t held = queues.before(row);
        if (held >= kLeastQueue && queues.begunUntil(time.end) > queues.begunUntil(time.begin))
            found.push_back({row, held});
    }
    return found.size() < kManyFull ? std::vector<FullQueue>() : found;
}

} // namespace olab::analysis
