#include "measure/null_holds.h"

#include "facts/looks.h"

#include <olab/analysis/null_order.h>

#include <map>

namespace olab::analysis {
namespace {

struct Issue {
    std::uint64_t key = 0;
    NullOrder::Id number = NullOrder::kNone; ///< of device work; kNone: an event on the NULL stream ...
    QueueId stream = kNoQueue;               ///< ... which may be known
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

std::uint64_t sinceBegin(const Trace& trace, ActivityIndex row) {
    return static_cast<std::uint64_t>(trace.begin(row) - trace.span().begin);
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
    switch (key) {
    case Key::Op:
        return trace.opOf(i).value;
    case Key::Api:
        return sinceBegin(trace, facts.apiOf(i));
    case Key::Correlation:
        return trace.correlation(i);
    case Key::Begin:
        break;
    }
    return sinceBegin(trace, i);
}

void addEvents(Column<Issue>& order, const Facts& facts, Key key) {
    const Trace& trace = facts.trace();
    if (key == Key::Op)
        for (const experiment::Op& op : facts.schedule()->ops)
            if (op.kind == experiment::OpKind::NullEvent)
                order.push_back({op.id.value, NullOrder::kNone, kNoQueue});
    if (key == Key::Api)
        for (const StreamCall& call : trace.streamCalls())
            if (call.kind == StreamCallKind::EventRecord && call.queue != kNoQueue &&
                call.api != kNoActivity && trace.queue(call.queue).streamKind == StreamKind::Null)
                order.push_back({sinceBegin(trace, call.api), NullOrder::kNone, call.queue});
}

Column<Issue> issueOrder(const Facts& facts) {
    const Key key = bestKey(facts);
    Column<Issue> order;
    order.reserve(facts.deviceWork().size());
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n)
        order.push_back(
            {keyOf(facts, key, facts.deviceWork().row(n)), static_cast<NullOrder::Id>(n), kNoQueue});
    addEvents(order, facts, key);
    if (!std::ranges::is_sorted(order, {}, &Issue::key))
        std::ranges::stable_sort(order, {}, &Issue::key);
    return order;
}

} // namespace

NullOrder::NullOrder(std::span<const Queue> queues, std::vector<StreamKind> kinds)
    : m_kinds(std::move(kinds))
    , m_since(queues.size(), kNone) {
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>, std::size_t> numbers;
    for (const Queue& q : queues)
        m_contextOf.push_back(
            numbers.try_emplace({q.process, q.device, q.context}, numbers.size()).first->second);
    m_contexts.resize(numbers.size());
}

std::vector<NullOrder::Id> NullOrder::takeUsed(Context& context) {
    std::vector<Id> before;
    for (const QueueId queue : std::exchange(context.used, {}))
        before.push_back(std::exchange(m_since[queue.value], kNone));
    return before;
}

Column<NullHold> nullHolds(const Facts& facts, const RunControl& control) {
    if (!usesNullStream(facts))
        return {};
    const Trace& trace = facts.trace();
    const DeviceWork& work = facts.deviceWork();
    std::vector<StreamKind> kinds;
    for (const Queue& queue : trace.queues())
        kinds.push_back(queue.streamKind);
    NullOrder order(trace.queues(), std::move(kinds));
    const auto endOf = [&](NullOrder::Id n) { return trace.end(work.row(n)); };
    const auto lastOf = [&](const std::vector<NullOrder::Id>& before) {
        return *std::ranges::max_element(before, {}, endOf);
    };
    Column<NullHold> holds(work.size());
    std::size_t looked = 0;
    for (const Issue& next : issueOrder(facts)) {
        lookAtCancel(looked++, control);
        if (next.number == NullOrder::kNone) {
            order.record(next.stream, lastOf);
            continue;
        }
        NullHold& hold = holds[next.number];
        order.issue(next.number, trace.queueOf(work.row(next.number)), [&](NullOrder::Id before) {
            if (endOf(before) >= hold.until)
                hold = {endOf(before), work.row(before)};
        });
    }
    return holds;
}

} // namespace olab::analysis
