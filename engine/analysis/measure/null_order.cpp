#include "measure/null_order.h"

#include "facts/looks.h"

#include <map>

namespace olab::analysis {
namespace {

constexpr std::uint32_t kNullEvent = 0xffffffff; ///< an event on the NULL stream, not a number of device work

struct Issue {
    std::uint64_t key = 0;
    std::uint32_t number = kNullEvent; ///< of device work
};

bool hasNullEvents(const Facts& facts) {
    return facts.schedule() && std::ranges::any_of(facts.schedule()->ops, [](const experiment::Op& op) {
               return op.kind == experiment::OpKind::NullEvent;
           });
}

bool usesNullStream(const Facts& facts) {
    const bool hasQueue = std::ranges::any_of(facts.trace().queues(), [](const Queue& q) {
        return q.kind == Queue::Kind::Stream && q.streamKind == StreamKind::Null;
    });
    return hasQueue || hasNullEvents(facts);
}

enum class Key { Op, Api, Correlation, Begin };

Key bestKey(const Facts& facts) {
    bool op = facts.schedule() != nullptr, api = true, correlation = true;
    for (std::size_t n = 0; n < facts.deviceWork().size() && (op || api || correlation); ++n) {
        const ActivityIndex i = facts.deviceWork().row(n);
        op = op && facts.opOf(i);
        api = api && facts.apiOf(i) != kNoActivity;
        correlation = correlation && facts.trace().correlation(i) != 0;
    }
    return op ? Key::Op : api ? Key::Api : correlation ? Key::Correlation : Key::Begin;
}

std::uint64_t keyOf(const Facts& facts, Key key, ActivityIndex i) {
    const Trace& trace = facts.trace();
    const auto since = [&trace](ActivityIndex row) {
        return static_cast<std::uint64_t>(trace.time(row).begin - trace.span().begin);
    };
    switch (key) {
    case Key::Op:
        return trace.opOf(i).value;
    case Key::Api:
        return since(facts.apiOf(i));
    case Key::Correlation:
        return trace.correlation(i);
    case Key::Begin:
        break;
    }
    return since(i);
}

Column<Issue> issueOrder(const Facts& facts) {
    const Key key = bestKey(facts);
    Column<Issue> order;
    order.reserve(facts.deviceWork().size());
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n)
        order.push_back({keyOf(facts, key, facts.deviceWork().row(n)), static_cast<std::uint32_t>(n)});
    if (key == Key::Op)
        for (const experiment::Op& op : facts.schedule()->ops)
            if (op.kind == experiment::OpKind::NullEvent)
                order.push_back({op.id.value, kNullEvent});
    if (!std::ranges::is_sorted(order, {}, &Issue::key))
        std::ranges::stable_sort(order, {}, &Issue::key);
    return order;
}

// What is in flight in one context: the NULL stream orders nothing across contexts.
struct Context {
    NullHold lastNull, lastBlocking;
};

void keepLater(NullHold& hold, Ns end, ActivityIndex activity) {
    if (end >= hold.until)
        hold = {end, activity};
}

class Walk {
public:
    explicit Walk(const Trace& trace)
        : m_trace(trace) {
        std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::size_t> numbers;
        for (const Queue& q : m_trace.queues())
            m_contextOf.push_back(
                numbers.try_emplace({q.process, q.device, q.context}, numbers.size()).first->second);
        m_contexts.resize(numbers.size());
    }
    NullHold issue(ActivityIndex i) {
        const QueueId queue = m_trace.queueOf(i);
        Context& context = m_contexts[m_contextOf[queue.value]];
        const StreamKind kind = m_trace.queue(queue).streamKind;
        NullHold hold;
        if (kind == StreamKind::Null) {
            hold = context.lastBlocking;
            keepLater(context.lastNull, m_trace.time(i).end, i);
        } else if (kind == StreamKind::Blocking) {
            hold = context.lastNull;
            keepLater(context.lastBlocking, m_trace.time(i).end, i);
        }
        return hold;
    }
    // It is done when all work before it is, and holds what follows until then.
    void issueNullEvent() {
        for (Context& c : m_contexts)
            if (c.lastBlocking.behind != kNoActivity)
                keepLater(c.lastNull, c.lastBlocking.until, c.lastBlocking.behind);
    }

private:
    const Trace& m_trace;
    std::vector<std::size_t> m_contextOf; // per queue
    std::vector<Context> m_contexts;
};

} // namespace

Column<NullHold> nullHolds(const Facts& facts, const RunControl& control) {
    if (!usesNullStream(facts))
        return {};
    Column<NullHold> holds(facts.deviceWork().size());
    Walk walk(facts.trace());
    std::size_t looked = 0;
    for (const Issue& next : issueOrder(facts)) {
        lookAtCancel(looked++, control);
        if (next.number == kNullEvent)
            walk.issueNullEvent();
        else
            holds[next.number] = walk.issue(facts.deviceWork().row(next.number));
    }
    return holds;
}

} // namespace olab::analysis
