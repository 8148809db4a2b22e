#include <olab/view/event_marks.h>

#include <olab/trace/index_search.h>

#include <algorithm>
#include <tuple>

namespace olab::view {

namespace {

/// Number of operations of a stream issued before the call.
std::size_t issuedBefore(const analysis::Facts& facts, const NearNumbers& stream, ActivityIndex call) {
    const Ns begun = facts.trace().begin(call);
    return firstNotBefore(0, stream.size(), [&](std::size_t number) {
        const ActivityIndex by = facts.apiOf(stream[number]);
        return by != kNoActivity ? by < call : facts.trace().begin(stream[number]) < begun;
    });
}

Ns timeOf(const analysis::Facts& facts, const StreamCall& call) {
    const auto stream = facts.ofStream(call.queue);
    const std::size_t before = issuedBefore(facts, stream, call.api);
    if (call.kind == StreamCallKind::StreamWait && before < stream.size())
        return facts.trace().begin(stream[before]);
    const Ns issued = facts.trace().begin(call.api);
    return before == 0 ? issued : std::max(issued, facts.trace().end(stream[before - 1]));
}

} // namespace

std::vector<EventMark> eventMarks(const analysis::Facts& facts) {
    std::vector<EventMark> marks;
    for (const StreamCall& call : facts.trace().streamCalls()) {
        const bool isWait = call.kind == StreamCallKind::StreamWait;
        if ((!isWait && call.kind != StreamCallKind::EventRecord) || call.queue == kNoQueue ||
            call.api == kNoActivity)
            continue;
        marks.push_back({call.queue, timeOf(facts, call), isWait, call.event, call.api});
    }
    std::ranges::stable_sort(marks, {}, [](const EventMark& m) { return std::pair(m.queue, m.time); });
    return marks;
}

} // namespace olab::view
