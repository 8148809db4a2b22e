#include "measure/calls.h"

#include "facts/looks.h"

#include <numeric>

namespace olab::analysis {
namespace {

// A call that ended this shortly before the next one kept its thread from making it.
constexpr Ns kBackToBack = 5'000;

/// The first row of each key. Keys are mostly dense numbers, so most are used as an index.
class FirstRows {
public:
    /// `each` calls its argument with every key and row, by ascending row.
    template <typename Each>
    explicit FirstRows(Each each) {
        std::uint64_t highest = 0;
        std::size_t count = 0;
        each([&](std::uint32_t key, ActivityIndex) {
            highest = std::max<std::uint64_t>(highest, key);
            ++count;
        });
        if (highest < 8 * count + 1024) {
            m_dense.assign(static_cast<std::size_t>(highest) + 1, kNoActivity);
            each(
                [this](std::uint32_t key, ActivityIndex row) { m_dense[key] = std::min(m_dense[key], row); });
            return;
        }
        m_sparse.reserve(count);
        each([this](std::uint32_t key, ActivityIndex row) { m_sparse.emplace_back(key, row); });
        std::ranges::sort(m_sparse);
    }
    ActivityIndex operator[](std::uint32_t key) const {
        if (m_sparse.empty())
            return key < m_dense.size() ? m_dense[key] : kNoActivity;
        const auto at = std::ranges::lower_bound(m_sparse, std::pair{key, ActivityIndex{0}});
        return at != m_sparse.end() && at->first == key ? at->second : kNoActivity;
    }

private:
    Column<ActivityIndex> m_dense;
    std::vector<std::pair<std::uint32_t, ActivityIndex>> m_sparse; // sorted
};

/// Calls `take` with the rows of calls that succeeded.
template <typename Take>
void eachCall(const Trace& trace, Take take) {
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Api && (trace.flags(i) & kFlagFailed) == 0)
            take(i);
}

class CallFinder {
public:
    explicit CallFinder(const Trace& trace)
        : m_trace(trace)
        , m_byCorrelation([&](auto take) {
            eachCall(trace, [&](ActivityIndex i) {
                if (const std::uint32_t correlation = trace.correlation(i); correlation != 0)
                    take(correlation, i);
            });
        })
        , m_byOp([&](auto take) {
            eachCall(trace, [&](ActivityIndex i) {
                if (trace.correlation(i) == 0 && trace.opOf(i) != kNoOp)
                    take(trace.opOf(i).value, i);
            });
        }) {}
    ActivityIndex find(ActivityIndex i) const {
        if (const std::uint32_t correlation = m_trace.correlation(i); correlation != 0)
            if (const ActivityIndex call = m_byCorrelation[correlation]; call != kNoActivity)
                return call;
        const OpId op = m_trace.opOf(i);
        return op == kNoOp ? kNoActivity : m_byOp[op.value];
    }

private:
    const Trace& m_trace;
    FirstRows m_byCorrelation, m_byOp;
};

} // namespace

NearColumn findCalls(const Facts& facts, const RunControl& control) {
    if (facts.count(ActivityClass::Api) == 0)
        return {};
    const Trace& trace = facts.trace();
    const CallFinder calls(trace);
    control.throwIfCancelled();
    NearColumn apiOf;
    apiOf.reserve(trace.size());
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        lookAtCancel(i, control);
        const ActivityClass cls = trace.cls(i);
        apiOf.push_back(isDeviceClass(cls) || cls == ActivityClass::HostFn ? calls.find(i) : kNoActivity);
    }
    apiOf.fit();
    return apiOf;
}

/// A counting sort: one pass over the calls, one over the rows.
NearColumn sortedByCall(const NearColumn& apiOf) {
    Column<ActivityIndex> next(apiOf.size() + 1, 0);
    for (const ActivityIndex call : apiOf)
        if (call != kNoActivity)
            ++next[call + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    Column<ActivityIndex> sorted(next.back());
    for (std::size_t i = 0; i < apiOf.size(); ++i)
        if (apiOf[i] != kNoActivity)
            sorted[next[apiOf[i]]++] = static_cast<ActivityIndex>(i);
    Column<ActivityIndex>().swap(next);
    NearColumn byCall;
    byCall.reserve(sorted.size());
    for (const ActivityIndex row : sorted)
        byCall.push_back(row);
    byCall.fit();
    return byCall;
}

/// Only blames the previous call if it took longer than the issuing call itself.
Column<ActivityIndex> callsThatDelayed(const Facts& facts) {
    const Trace& trace = facts.trace();
    if (facts.count(ActivityClass::Api) == 0)
        return {};
    std::vector<ActivityIndex> lastOfThread(trace.queues().size(), kNoActivity);
    Column<ActivityIndex> delayedBy(trace.size());
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (trace.cls(i) != ActivityClass::Api)
            continue;
        ActivityIndex& last = lastOfThread[trace.queueOf(i).value];
        const Interval time = trace.time(i);
        const bool delayed = last != kNoActivity && time.begin - trace.time(last).end <= kBackToBack &&
                             trace.duration(last) > time.length();
        delayedBy[i] = delayed ? last : kNoActivity;
        last = i;
    }
    return delayedBy;
}

} // namespace olab::analysis
