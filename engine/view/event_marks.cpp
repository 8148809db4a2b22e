#include <olab/view/event_marks.h>

#include <algorithm>
#include <tuple>

namespace olab::view {

namespace {

/// How many operations of a stream were issued before the call.
std::size_t issuedBefore(const analysis::Facts& facts, const NearNumbers& stream, ActivityIndex call) {
    const Ns begun = facts.trace().begin(call);
    std::size_t first = 0, last = stream.size();
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        const ActivityIndex by = facts.apiOf(stream[middle]);
        const bool isBefore = by != kNoActivity ? by < call : facts.trace().begin(stream[middle]) < begun;
        (isBefore ? first : last) = isBefore ? middle + 1 : middle;
    }
    return first;
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
