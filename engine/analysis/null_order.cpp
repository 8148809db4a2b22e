#include "null_order.h"

#include <algorithm>

namespace olab {
namespace {

struct Issue {
    std::uint64_t key = 0;
    ActivityIndex activity = kNoActivity; ///< kNoActivity: an event on the NULL stream
};

bool hasNullEvents(const Facts& facts) {
    return facts.schedule && std::any_of(facts.schedule->ops.begin(), facts.schedule->ops.end(),
                                         [](const Op& op) { return op.kind == OpKind::NullEvent; });
}

enum class Key { Op, Api, Correlation, Begin };

Key bestKey(const Facts& facts) {
    bool op = facts.schedule != nullptr, api = true, correlation = true;
    for (ActivityIndex i = 0; i < facts.trace.size() && (op || api || correlation); ++i)
        if (isDeviceClass(facts.trace.cls(i))) {
            const Activity a = facts.trace[i];
            op = op && a.op.value < facts.schedule->ops.size();
            api = api && facts.apiOf[i] != kNoActivity;
            correlation = correlation && a.correlation != 0;
        }
    return op ? Key::Op : api ? Key::Api : correlation ? Key::Correlation : Key::Begin;
}

std::uint64_t keyOf(const Facts& facts, Key key, ActivityIndex i) {
    switch (key) {
    case Key::Op:
        return facts.trace[i].op.value;
    case Key::Api:
        return static_cast<std::uint64_t>(facts.trace.time(facts.apiOf[i]).begin - facts.trace.span().begin);
    case Key::Correlation:
        return facts.trace[i].correlation;
    case Key::Begin:
        break;
    }
    return static_cast<std::uint64_t>(facts.trace.time(i).begin - facts.trace.span().begin);
}

std::vector<Issue> issueOrder(const Facts& facts) {
    const Key key = bestKey(facts);
    std::vector<Issue> order;
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i)
        if (isDeviceClass(facts.trace.cls(i)))
            order.push_back({keyOf(facts, key, i), i});
    if (key == Key::Op)
        for (const Op& op : facts.schedule->ops)
            if (op.kind == OpKind::NullEvent)
                order.push_back({op.id.value, kNoActivity});
    std::stable_sort(order.begin(), order.end(),
                     [](const Issue& a, const Issue& b) { return a.key < b.key; });
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
    Walk(const Facts& facts, const std::function<Ns(ActivityIndex, const NullHold&)>& endOf)
        : m_trace(facts.trace)
        , m_endOf(endOf) {
        std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::size_t> numbers;
        for (const Queue& q : m_trace.queues())
            m_contextOf.push_back(
                numbers.try_emplace({q.process, q.device, q.context}, numbers.size()).first->second);
        m_contexts.resize(numbers.size());
    }
    void issue(ActivityIndex i) {
        const QueueId queue = m_trace[i].queue;
        Context& context = m_contexts[m_contextOf[queue.value]];
        const StreamKind kind = m_trace.queue(queue).streamKind;
        const bool isNull = kind == StreamKind::Null;
        const NullHold none;
        const NullHold& hold = isNull                         ? context.lastBlocking
                               : kind == StreamKind::Blocking ? context.lastNull
                                                              : none;
        const Ns end = m_endOf(i, hold);
        if (isNull)
            keepLater(context.lastNull, end, i);
        else if (kind == StreamKind::Blocking)
            keepLater(context.lastBlocking, end, i);
    }
    // It is done when all work before it is, and holds what follows until then.
    void issueNullEvent() {
        for (Context& c : m_contexts)
            if (c.lastBlocking.behind != kNoActivity)
                keepLater(c.lastNull, c.lastBlocking.until, c.lastBlocking.behind);
    }

private:
    const Trace& m_trace;
    const std::function<Ns(ActivityIndex, const NullHold&)>& m_endOf;
    std::vector<std::size_t> m_contextOf; // per queue
    std::vector<Context> m_contexts;
};

} // namespace

bool usesNullStream(const Facts& facts) {
    const auto queues = facts.trace.queues();
    const bool hasQueue = std::any_of(queues.begin(), queues.end(), [](const Queue& q) {
        return q.kind == Queue::Kind::Stream && q.streamKind == StreamKind::Null;
    });
    return hasQueue || hasNullEvents(facts);
}

void walkIssueOrder(const Facts& facts, const std::function<Ns(ActivityIndex, const NullHold&)>& endOf) {
    Walk walk(facts, endOf);
    if (!usesNullStream(facts)) {
        for (ActivityIndex i = 0; i < facts.trace.size(); ++i)
            if (isDeviceClass(facts.trace.cls(i)))
                walk.issue(i);
        return;
    }
    for (const Issue& next : issueOrder(facts))
        next.activity == kNoActivity ? walk.issueNullEvent() : walk.issue(next.activity);
}

} // namespace olab
