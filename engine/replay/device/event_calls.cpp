#include "device/event_calls.h"

#include <algorithm>

namespace olab::replay {
namespace {

enum class EventCall : std::uint8_t { None, Record, Wait };

/// By the number of the name.
std::vector<EventCall> kindsOf(const Trace& trace) {
    std::vector<EventCall> calls;
    for (std::uint32_t id = 0; id < trace.texts(); ++id) {
        const std::string_view name = trace.text(StringId{id});
        const bool isCall = name.starts_with("cu") || name.starts_with("hip");
        calls.push_back(!isCall                                     ? EventCall::None
                        : name.find("EventRecord") != name.npos     ? EventCall::Record
                        : name.find("StreamWaitEvent") != name.npos ? EventCall::Wait
                                                                    : EventCall::None);
    }
    return calls;
}

} // namespace

bool EventCalls::waitsBetween(Ns after, Ns before) const {
    const auto next = std::ranges::upper_bound(waits, after);
    return next != waits.end() && *next < before;
}

std::map<std::uint32_t, EventCalls> unseenEventCalls(const Sketch& sketch) {
    std::map<std::uint32_t, EventCalls> ofProcess;
    const Trace& trace = sketch.trace;
    if (!sketch.graph.endsWithWork || trace.recordsStreamCalls())
        return ofProcess;
    const std::vector<EventCall> kinds = kindsOf(trace);
    if (std::ranges::find(kinds, EventCall::Wait) == kinds.end())
        return ofProcess;
    for (ActivityIndex row = 0; row < trace.size(); ++row) { // by begin
        const EventCall kind =
            trace.cls(row) == ActivityClass::Api ? kinds[trace.nameOf(row).value] : EventCall::None;
        if (kind == EventCall::None)
            continue;
        EventCalls& calls = ofProcess[trace.queue(trace.queueOf(row)).process];
        (kind == EventCall::Wait ? calls.waits : calls.records).push_back(trace.begin(row));
    }
    return ofProcess;
}

} // namespace olab::replay
