#include "measure/needs_of_records.h"

#include "facts/looks.h"

#include <algorithm>

namespace olab::analysis {
namespace {

// A call this soon after the previous one was made without a pause.
constexpr Ns kPause = 20'000;
// How soon after a callback the thread that waits for it goes on: a wake-up of a thread, generously.
constexpr Ns kWakesWithin = 200'000;
// A thread with at least this share of such pauses counts as waiting for callbacks.
constexpr std::size_t kMostOf = 10, kOutOf = 8;
constexpr std::size_t kFewest = 3; // one pause may end beside a callback by chance

/// Pauses of one thread.
class Pauses {
public:
    /// Adds a call after a pause, with the last host function that ended in the pause, if any.
    void add(ActivityIndex hostFn) { ++m_all, m_woken += hostFn != kNoActivity ? 1 : 0; }
    bool waitsForCallbacks() const { return m_woken >= kFewest && m_woken * kMostOf >= m_all * kOutOf; }

private:
    std::size_t m_all = 0, m_woken = 0;
};

struct Ended {
    Ns end;
    ActivityIndex row;
};

std::vector<Ended> hostFnsByEnd(const Trace& trace, const RunControl& control) {
    std::vector<Ended> ended;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        lookAtCancel(i, control);
        if (trace.cls(i) == ActivityClass::HostFn)
            ended.push_back({trace.time(i).end, i});
    }
    std::ranges::sort(ended, {}, &Ended::end);
    return ended;
}

} // namespace

Column<ActivityIndex> callbacksThatIssued(const TraceFacts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    if (facts.count(ActivityClass::HostFn) == 0 || facts.count(ActivityClass::Api) == 0)
        return {};
    const std::vector<Ended> ended = hostFnsByEnd(trace, control);
    Column<ActivityIndex> issuedBy;
    issuedBy.assign(trace.size(), kNoActivity);
    for (std::size_t q = 0; q < trace.queues().size(); ++q) {
        const auto calls = facts.ofThread(QueueId{static_cast<std::uint16_t>(q)});
        Pauses pauses;
        Ns until = calls.empty() ? 0 : trace.time(calls.front()).end;
        ActivityIndex by = kNoActivity;
        for (const ActivityIndex call : calls) {
            if (trace.cls(call) != ActivityClass::Api)
                continue;
            const Ns begin = trace.time(call).begin;
            if (begin > until && begin - until > kPause) {
                const auto after = std::ranges::upper_bound(ended, begin, {}, &Ended::end);
                const bool woken = after != ended.begin() && std::prev(after)->end >= until &&
                                   begin - std::prev(after)->end <= kWakesWithin;
                by = woken ? std::prev(after)->row : kNoActivity;
                pauses.add(by);
            }
            issuedBy[call] = by;
            until = std::max(until, trace.time(call).end);
        }
        if (!pauses.waitsForCallbacks())
            for (const ActivityIndex call : calls)
                issuedBy[call] = kNoActivity;
    }
    return issuedBy;
}

} // namespace olab::analysis
