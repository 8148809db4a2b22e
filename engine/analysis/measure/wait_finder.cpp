#include "measure/wait_finder.h"

#include "facts/sums.h"
#include "facts/wait_writer.h"
#include "measure/full_grid.h"

#include <olab/trace/lanes.h>

namespace olab::analysis {
namespace {

constexpr Ns kNever = std::numeric_limits<Ns>::min();
// The host stamps the gate's opening, the device stamps the ops: an op that begins this shortly before it
// still came through the gate.
constexpr Ns kGateClockSlack = 100'000;
// An engine that does one copy at a time may seem to begin the next one this much early: two stamps, one
// clock.
constexpr Ns kHandover = 2'000;

/// Gives the wait to a cause that took a larger part of it than any before.
void blame(ExplainedWait& wait, Ns part, LossCause cause, ActivityIndex blocker) {
    if (part <= wait.held)
        return;
    wait.held = part;
    wait.cause = cause;
    wait.blocker = blocker;
}

/// A short copy behind a long one, held for longer than a merely busy engine explains.
bool isBlocked(const TraceFacts& facts, const OpRow& op, ActivityIndex longer, Ns held) {
    const Ns own = op.work->solo;
    return own > 0 && facts.solo(longer) >= kLongerCopy * own && held >= kLongerCopy * own;
}

bool isCopyEngine(EngineKind kind) {
    return kind != EngineKind::None && kind != EngineKind::Compute;
}

} // namespace

std::vector<Ns> gatesOf(const Trace& trace) {
    std::vector<Ns> gates;
    for (const WindowRecord& w : trace.windows())
        if (w.traced) // a gate that opened before recording held nothing
            gates.push_back(std::max(w.begin, trace.span().begin));
    std::ranges::sort(gates);
    return gates;
}

// When an op could begin, and the last constraint.
struct WaitFinder::Ready {
    Ns at = kNever;
    LossCause by = LossCause::None;
    ActivityIndex behind = kNoActivity;
    void needs(Ns time, LossCause cause, ActivityIndex what) {
        if (time > at)
            *this = {time, cause, what};
    }
};

WaitFinder::WaitFinder(const Facts& facts, const WaitSources& sources, LastEnds before, std::size_t first)
    : m_facts(facts)
    , m_trace(facts.trace())
    , m_sources(sources)
    , m_last(std::move(before)) {
    const std::size_t devices = facts.perDevice().size();
    m_busy.resize(devices * kEngineCount);
    m_fullBehind.resize(devices);
    for (std::size_t d = 0; d < devices; ++d) {
        for (const Lane& lane : facts.lanes().ofDevice(static_cast<std::uint8_t>(d)))
            if (lane.kind == LaneKind::Engine)
                m_busy[d * kEngineCount + static_cast<std::size_t>(lane.engine)] = BackwardMeasure(lane.busy);
        m_full.emplace_back(facts.perDevice()[d].full);
    }
    const auto functions = facts.hostFunctions();
    if (first > 0) // earlier ones are covered by `before`
        m_host = static_cast<std::size_t>(
            std::ranges::lower_bound(functions, facts.deviceWork().row(first - 1), {}, &HostFunction::row) -
            functions.begin());
}

void WaitFinder::passHost(ActivityIndex until) {
    const auto functions = m_facts.hostFunctions();
    for (; m_host < functions.size() && functions[m_host].row < until; ++m_host)
        if (const HostFunction& called = functions[m_host]; called.holdsStream)
            m_last.keepInStream(called.stream, m_trace.end(called.row), called.row);
}

void WaitFinder::pass(const OpRow& op) {
    passHost(op.row);
    m_last.keep(op);
}

void WaitFinder::needsIssue(Ready& ready, const OpRow& op) const {
    const ActivityIndex call = m_facts.apiOf(op.row);
    if (call == kNoActivity)
        return;
    // An op that began inside its call was issued at an unknown time within it: the begin of the call counts.
    const Interval time = m_trace.time(call);
    const Ns issued = time.end <= op.time.begin ? time.end : std::min(time.begin, op.time.begin);
    if (issued <= ready.at)
        return;
    const ActivityIndex seen = m_sources.callbacks.empty() ? kNoActivity : m_sources.callbacks[call];
    if (const ActivityIndex callback = seen != kNoActivity ? seen : m_facts.needs().callback(op.op);
        callback != kNoActivity)
        return ready.needs(issued, LossCause::Callback, callback);
    const ActivityIndex earlier = m_sources.delayedBy[call];
    ready.needs(issued, LossCause::HostLate, earlier == kNoActivity ? call : earlier);
}

void WaitFinder::needsEvents(Ready& ready, const OpRow& op) const {
    for (const ActivityIndex before : m_facts.awaitedEvents(op.row))
        ready.needs(std::min(m_trace.time(before).end, op.time.begin), LossCause::EventOrder, before);
}

void WaitFinder::needsGate(Ready& ready, const OpRow& op) {
    Ns latest = op.time.begin;
    addCapped(latest, kGateClockSlack);
    while (m_gate < m_sources.gates.size() && m_sources.gates[m_gate] <= latest)
        ++m_gate;
    if (m_gate > 0)
        ready.needs(std::min(m_sources.gates[m_gate - 1], op.time.begin), LossCause::None, kNoActivity);
}

WaitFinder::Ready WaitFinder::readyOf(const OpRow& op) {
    Ready ready;
    const Last& before = m_last.inStream(op.queue);
    if (before.activity != kNoActivity)
        ready.needs(std::min(before.end, op.time.begin),
                    m_trace.cls(before.activity) == ActivityClass::HostFn ? LossCause::Callback
                                                                          : LossCause::StreamOrder,
                    before.activity);
    needsEvents(ready, op);
    needsIssue(ready, op);
    needsGate(ready, op);
    if (ready.at == kNever) // no known constraint
        ready.at = op.time.begin;
    return ready;
}

Ns WaitFinder::engineBusy(const OpRow& op, Interval range) {
    const bool one = m_last.hasOneCopyEngine(op.device);
    Ns busy = 0;
    for (std::size_t e = 0; e < kEngineCount; ++e) {
        const auto kind = static_cast<EngineKind>(e);
        if (isCopyEngine(kind) && (one || kind == op.engine))
            busy += m_busy[op.device * kEngineCount + e].measure(range);
    }
    return std::min(busy, range.length());
}

void WaitFinder::explainCompute(ExplainedWait& wait, const OpRow& op, Ns from, Ns& unexplained) {
    const DeviceFacts& device = m_facts.perDevice()[op.device];
    const Interval range{from, op.time.begin};
    const Ns full = m_full[op.device].measure(range);
    if (full == 0)
        return;
    std::size_t& behind = m_fullBehind[op.device];
    while (behind < device.fullGrids.size() && device.fullGrids[behind].time.begin < range.end)
        ++behind;
    blame(wait, full, op.cls == ActivityClass::Memset ? LossCause::MemsetFullGrid : LossCause::FullGrid,
          fullestKernel(device, range, behind));
    unexplained -= full;
}

// The largest part of the wait determines its cause; the unexplained rest is a part too.
void WaitFinder::explain(ExplainedWait& wait, const OpRow& op, const Ready& ready) {
    wait.held = 0;
    const Ns begin = op.time.begin;
    Ns from = wait.time.begin;
    if (!m_sources.nullHolds.empty() && m_sources.nullHolds[op.number].until > from) {
        const NullHold& hold = m_sources.nullHolds[op.number];
        const bool atOnce = begin - hold.until <= usualLatency(LossCause::NullStream);
        const Ns until = atOnce ? begin : hold.until;
        blame(wait, until - from, LossCause::NullStream, hold.behind);
        from = until;
    }
    Ns unexplained = begin - from;
    if (op.engine == EngineKind::Compute)
        explainCompute(wait, op, from, unexplained);
    else if (const Last& last = m_last.onUnit(op);
             last.activity != kNoActivity && last.end - begin <= kHandover) {
        const Ns busy = engineBusy(op, {from, begin});
        blame(wait, busy,
              isBlocked(m_facts, op, last.activity, busy) ? LossCause::HeadOfLine : LossCause::EngineBound,
              last.activity);
        unexplained -= busy;
    }
    if (unexplained > usualLatency(ready.by))
        blame(wait, unexplained, LossCause::Unexplained, kNoActivity);
    else
        blame(wait, unexplained, ready.by, ready.behind);
}

ExplainedWait WaitFinder::find(const OpRow& op) {
    passHost(op.row);
    const Ready ready = readyOf(op);
    const Ns begin = op.time.begin;
    ExplainedWait wait{op.row, ready.by, ready.behind, {ready.at, begin}, begin - ready.at, op.stretched()};
    const ActivityIndex call = m_facts.apiOf(op.row);
    const bool insideCall =
        ready.by == LossCause::HostLate && call != kNoActivity && m_trace.time(call).end > begin;
    if (wait.length() > usualLatency(ready.by) && !insideCall)
        explain(wait, op, ready);
    m_last.keep(op);
    return wait;
}

void tellPriorities(const TraceFacts& facts, WaitTable& waits) {
    if (waits.count(LossCause::FullGrid) + waits.count(LossCause::MemsetFullGrid) == 0)
        return;
    const Trace& trace = facts.trace();
    const auto priorityOf = [&](ActivityIndex row) { return trace.queue(trace.queueOf(row)).priority; };
    const auto readyOf = [&](std::size_t number) {
        return trace.begin(facts.deviceWork().row(number)) - waits.wait(number);
    };
    for (std::size_t n = 0; n < waits.size(); ++n) {
        if (!isForRoom(waits.cause(n)))
            continue;
        const ActivityIndex first = waits.blocker(n);
        if (first != kNoActivity && priorityOf(first) < priorityOf(facts.deviceWork().row(n)) &&
            readyOf(facts.deviceWork().numberOf(first)) > readyOf(n))
            WaitWriter::setCause(waits, n, LossCause::Priority);
    }
}

} // namespace olab::analysis
