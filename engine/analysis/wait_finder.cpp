#include "wait_finder.h"

#include "full_grid.h"
#include "null_order.h"
#include "stretch_finder.h"
#include "sums.h"

#include <algorithm>

namespace olab {
namespace {

constexpr Ns kNever = std::numeric_limits<Ns>::min();
// The gate's opening is stamped by the host, the ops by the device: an op this little before it came through
// the gate.
constexpr Ns kGateClockSlack = 100'000;
// An engine that does one copy at a time may seem to begin the next one this much early: two stamps, one
// clock.
constexpr Ns kHandover = 2'000;
// A call that ended this little before the next one began kept its thread from making it.
constexpr Ns kBackToBack = 5'000;

struct Last {
    Ns end = kNever;
    ActivityIndex activity = kNoActivity;
    void keep(Interval time, ActivityIndex i) {
        if (activity == kNoActivity || time.end >= end) {
            end = time.end;
            activity = i;
        }
    }
};

// When an op could begin and what that depended on last.
struct Ready {
    Ns at = kNever;
    WaitCause by = WaitCause::None;
    ActivityIndex behind = kNoActivity;
    void needs(Ns time, WaitCause cause, ActivityIndex what) {
        if (time > at)
            *this = {time, cause, what};
    }
};

Ns usualLatency(WaitCause readyBy) {
    switch (readyBy) {
    case WaitCause::StreamOrder:
        return kHopLatency;
    case WaitCause::Callback:
        return kCallbackLatency;
    case WaitCause::Event:
        return kEventLatency;
    default:
        return kSubmitLatency;
    }
}

class WaitFinder {
public:
    explicit WaitFinder(const Facts& facts);
    Wait find(ActivityIndex i);
    void pass(ActivityIndex i); ///< a host activity: it may hold those after it

private:
    void noteNullHolds();
    void noteWindows();
    void notePipelines();
    void noteEarlierCalls();
    Ready readyOf(ActivityIndex i, const Activity& a) const;
    void needsIssue(Ready& ready, ActivityIndex i, const Activity& a) const;
    void needsEvents(Ready& ready, const Activity& a) const;
    void needsGate(Ready& ready, const Activity& a) const;
    Ns engineBusy(const Activity& a, Interval range) const;
    std::size_t unitOf(const Activity& a) const;
    void explain(Wait& wait, const Activity& a, const Ready& ready) const;

    const Facts& m_facts;
    const Trace& m_trace;
    std::vector<NullHold> m_nullHolds; // per activity; empty without a NULL stream
    std::vector<Ns> m_gates;           // begins of traced windows, sorted
    std::vector<QueueId> m_streamOf;   // per pipeline of the schedule
    std::vector<bool> m_streamKnown;
    std::vector<ActivityIndex> m_callBefore; // per API call: the earlier one that kept the thread from it
    std::vector<Last> m_streams;             // per queue
    std::vector<Last> m_units;               // per device and copy engine
};

WaitFinder::WaitFinder(const Facts& facts)
    : m_facts(facts)
    , m_trace(facts.trace)
    , m_streams(facts.trace.queues().size())
    , m_units(facts.trace.devices().size() * kEngineCount) {
    noteNullHolds();
    noteWindows();
    notePipelines();
    noteEarlierCalls();
}

void WaitFinder::noteNullHolds() {
    if (!usesNullStream(m_facts))
        return;
    m_nullHolds.resize(m_trace.size());
    walkIssueOrder(m_facts, [this](ActivityIndex i, const NullHold& hold) {
        m_nullHolds[i] = hold;
        return m_trace.time(i).end;
    });
}

void WaitFinder::noteWindows() {
    for (const WindowRecord& w : m_trace.windows())
        if (w.traced) // a gate that opened before anything was recorded has held nothing
            m_gates.push_back(std::max(w.begin, m_trace.span().begin));
    std::sort(m_gates.begin(), m_gates.end());
}

// Records of host functions name their thread; the stream is that of the device work planned for the same
// one.
void WaitFinder::notePipelines() {
    if (!m_facts.schedule)
        return;
    const auto& ops = m_facts.schedule->ops;
    m_streamOf.resize(m_facts.schedule->streams.size());
    m_streamKnown.resize(m_streamOf.size());
    for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
        if (!isDeviceClass(m_trace.cls(i)))
            continue;
        const Activity a = m_trace[i];
        if (a.op.value >= ops.size() || ops[a.op.value].stream < 0)
            continue;
        const auto p = static_cast<std::size_t>(ops[a.op.value].stream);
        if (p < m_streamOf.size() && !m_streamKnown[p]) {
            m_streamOf[p] = a.queue;
            m_streamKnown[p] = true;
        }
    }
}

// Blaming the call just before is right only if it took longer than the issuing call itself.
void WaitFinder::noteEarlierCalls() {
    std::vector<ActivityIndex> lastOfThread(m_trace.queues().size(), kNoActivity);
    m_callBefore.assign(m_trace.size(), kNoActivity);
    for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
        if (m_trace.cls(i) != ActivityClass::Api)
            continue;
        ActivityIndex& last = lastOfThread[m_trace[i].queue.value];
        const Interval time = m_trace.time(i);
        if (last != kNoActivity && time.begin - m_trace.time(last).end <= kBackToBack &&
            m_trace.time(last).length() > time.length())
            m_callBefore[i] = last;
        last = i;
    }
}

void WaitFinder::pass(ActivityIndex i) {
    const Activity a = m_trace[i];
    if (a.cls != ActivityClass::HostFn || !m_facts.schedule || a.op.value >= m_facts.schedule->ops.size() ||
        watchesEvent(m_facts.schedule->experiment.callbackMethod))
        return;
    const auto p = static_cast<std::size_t>(m_facts.schedule->ops[a.op.value].stream);
    if (p < m_streamOf.size() && m_streamKnown[p])
        m_streams[m_streamOf[p].value].keep(a.time(), i);
}

// A device with one copy engine does both directions on it.
std::size_t WaitFinder::unitOf(const Activity& a) const {
    const bool one = m_trace.devices()[a.device].copyEngines == 1;
    return a.device * kEngineCount + static_cast<std::size_t>(one ? EngineKind::CopyH2D : a.engine);
}

void WaitFinder::needsIssue(Ready& ready, ActivityIndex i, const Activity& a) const {
    const ActivityIndex call = m_facts.apiOf[i];
    if (call == kNoActivity)
        return;
    // An op that began inside its call was issued at some point of it: no earlier than its begin.
    const Interval time = m_trace.time(call);
    const Ns issued = time.end <= a.begin ? time.end : std::min(time.begin, a.begin);
    const bool planned = a.op.value < m_facts.needs.callback.size();
    if (planned && m_facts.needs.callback[a.op.value] != kNoActivity)
        ready.needs(issued, WaitCause::Callback, m_facts.needs.callback[a.op.value]);
    else
        ready.needs(issued, WaitCause::HostLate,
                    m_callBefore[call] == kNoActivity ? call : m_callBefore[call]);
}

void WaitFinder::needsEvents(Ready& ready, const Activity& a) const {
    if (a.op.value >= m_facts.needs.events.size())
        return;
    for (const ActivityIndex before : m_facts.needs.events[a.op.value])
        ready.needs(std::min(m_trace.time(before).end, a.begin), WaitCause::Event, before);
}

void WaitFinder::needsGate(Ready& ready, const Activity& a) const {
    Ns latest = a.begin;
    addCapped(latest, kGateClockSlack);
    const auto after = std::upper_bound(m_gates.begin(), m_gates.end(), latest);
    if (after != m_gates.begin())
        ready.needs(std::min(*std::prev(after), a.begin), WaitCause::None, kNoActivity);
}

Ready WaitFinder::readyOf(ActivityIndex i, const Activity& a) const {
    Ready ready;
    const Last& before = m_streams[a.queue.value];
    if (before.activity != kNoActivity)
        ready.needs(std::min(before.end, a.begin),
                    m_trace.cls(before.activity) == ActivityClass::HostFn ? WaitCause::Callback
                                                                          : WaitCause::StreamOrder,
                    before.activity);
    needsEvents(ready, a);
    needsIssue(ready, i, a);
    needsGate(ready, a);
    if (ready.at == kNever) // nothing is known that it could have waited for
        ready.at = a.begin;
    return ready;
}

Ns WaitFinder::engineBusy(const Activity& a, Interval range) const {
    const bool one = m_trace.devices()[a.device].copyEngines == 1;
    Ns busy = 0;
    for (std::size_t e = 0; e < kEngineCount; ++e) {
        const auto kind = static_cast<EngineKind>(e);
        if (kind == EngineKind::None || kind == EngineKind::Compute || (!one && kind != a.engine))
            continue;
        if (const Lane* lane = m_facts.lanes.engine(a.device, kind))
            busy += lane->busy.measure(range);
    }
    return std::min(busy, range.length());
}

// The largest part of the wait gives its cause; what no record explains is a part too.
void WaitFinder::explain(Wait& wait, const Activity& a, const Ready& ready) const {
    wait.held = 0;
    const auto blame = [&wait](Ns part, WaitCause cause, ActivityIndex blocker) {
        if (part > wait.held) {
            wait.held = part;
            wait.cause = cause;
            wait.blocker = blocker;
        }
    };
    Ns from = wait.ready;
    if (!m_nullHolds.empty() && m_nullHolds[wait.activity].until > from) {
        const NullHold& hold = m_nullHolds[wait.activity];
        const Ns until = a.begin - hold.until <= kBarrierLatency ? a.begin : hold.until;
        blame(until - from, WaitCause::NullStream, hold.behind);
        from = until;
    }
    Ns unexplained = a.begin - from;
    if (a.engine == EngineKind::Compute) {
        const FullGridHold hold = heldByFullGrid(m_facts.perDevice[a.device], {from, a.begin});
        blame(hold.time, WaitCause::FullGrid, hold.kernel);
        unexplained -= hold.time;
    } else if (const Last& last = m_units[unitOf(a)];
               last.activity != kNoActivity && last.end - a.begin <= kHandover) {
        const Ns busy = engineBusy(a, {from, a.begin});
        blame(busy, WaitCause::SameEngine, last.activity);
        unexplained -= busy;
    }
    if (unexplained > usualLatency(ready.by))
        blame(unexplained, WaitCause::Unknown, kNoActivity);
    else
        blame(unexplained, ready.by, ready.behind);
}

Wait WaitFinder::find(ActivityIndex i) {
    const Activity a = m_trace[i];
    const Ready ready = readyOf(i, a);
    Wait wait;
    wait.activity = i;
    wait.ready = ready.at;
    wait.wait = wait.held = a.begin - ready.at;
    wait.cause = ready.by;
    wait.blocker = ready.behind;
    const ActivityIndex call = m_facts.apiOf[i];
    const bool insideCall =
        ready.by == WaitCause::HostLate && call != kNoActivity && m_trace.time(call).end > a.begin;
    if (wait.wait > usualLatency(ready.by) && !insideCall)
        explain(wait, a, ready);
    m_streams[a.queue.value].keep(a.time(), i);
    m_units[unitOf(a)].keep(a.time(), i);
    return wait;
}

} // namespace

void findWaits(Facts& facts, const RunControl& control) {
    constexpr ActivityIndex kBetweenLooks = 1u << 18;
    facts.waitOf.assign(facts.trace.size(), kNoNumber);
    WaitFinder waits(facts);
    StretchFinder stretches(facts);
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i) {
        if (i % kBetweenLooks == 0)
            control.throwIfCancelled();
        if (!isDeviceClass(facts.trace.cls(i))) {
            waits.pass(i);
            continue;
        }
        Wait wait = waits.find(i);
        stretches.find(wait);
        facts.waitOf[i] = static_cast<std::uint32_t>(facts.waits.size());
        facts.waits.push_back(wait);
    }
}

Interval heldByNullStream(const Wait& wait) {
    if (wait.cause != WaitCause::NullStream)
        return {};
    return {wait.ready, wait.ready + wait.held};
}

} // namespace olab
