#include "device/event_calls.h"

#include <algorithm>

namespace olab::replay {

bool EventCalls::waitsBetween(Ns after, Ns before) const {
    const auto next = std::ranges::upper_bound(waits, after);
    return next != waits.end() && *next < before;
}

std::map<std::uint32_t, EventCalls> unseenEventCalls(const Sketch& sketch) {
    std::map<std::uint32_t, EventCalls> ofProcess;
    const Trace& trace = sketch.trace;
    if (!sketch.graph.endsWithWork || trace.recordsStreamCalls())
        return ofProcess;
    for (ActivityIndex row = 0; row < trace.size(); ++row) { // by begin
        if (trace.cls(row) != ActivityClass::Api)
            continue;
        const CallKind kind = sketch.calls[trace.nameOf(row)];
        if (kind != CallKind::EventRecord && kind != CallKind::StreamWait)
            continue;
        EventCalls& calls = ofProcess[trace.queue(trace.queueOf(row)).process];
        (kind == CallKind::StreamWait ? calls.waits : calls.records).push_back(trace.begin(row));
    }
    std::erase_if(ofProcess, [](const auto& process) { return process.second.waits.empty(); });
    return ofProcess;
}

} // namespace olab::replay
