#include <olab/analysis/full_queue.h>

#include <olab/trace/index_search.h>

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr Ns kLong = 50'000;         ///< a call that issues takes microseconds
constexpr Ns kTimesAsLong = 20;      ///< as the median of its name
constexpr std::size_t kManyFull = 2; ///< such calls: one alone may have another reason

/// What the queues held: issued, and not begun. By the indices there are, so that a look costs no pass.
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

/// By name: how long a call of it takes that waited; 0: none did.
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

/// It has a queue to put something into, and returned before that had ended.
bool issuedMoreThanItWaitedFor(const TraceFacts& facts, ActivityIndex call) {
    const auto issued = facts.issuedBy(call);
    return !issued.empty() && std::ranges::all_of(issued, [&](ActivityIndex row) {
        return facts.trace().end(row) > facts.trace().end(call);
    });
}

} // namespace

std::vector<FullQueue> fullQueueCalls(const TraceFacts& facts) {
    if (!facts.hasApi() || facts.deviceWork().size() <= kLeastQueue)
        return {};
    const std::vector<Ns> least = longCalls(facts);
    if (std::ranges::all_of(least, [](Ns from) { return from == 0; }))
        return {};
    const Trace& trace = facts.trace();
    const QueueContents queues(facts);
    std::vector<FullQueue> found;
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        if (trace.cls(row) != ActivityClass::Api)
            continue;
        const Ns from = least[trace.nameOf(row).value];
        if (from == 0 || trace.duration(row) < from || !issuedMoreThanItWaitedFor(facts, row))
            continue;
        const Interval time = trace.time(row);
        const std::uint64_t held = queues.before(row);
        if (held >= kLeastQueue && queues.begunUntil(time.end) > queues.begunUntil(time.begin))
            found.push_back({row, held});
    }
    return found.size() < kManyFull ? std::vector<FullQueue>() : found;
}

} // namespace olab::analysis
