#include "graph/captured_calls.h"

#include "graph/call_kinds.h"

#include <algorithm>
#include <set>
#include <vector>

namespace olab::replay {
namespace {

enum class GraphCall : std::uint8_t { None, HostNode, HostFunction, CaptureBegins, CaptureEnds, Makes };

GraphCall graphCallOf(std::string_view name, CallKind kind) {
    if (name.find("AddHostNode") != name.npos)
        return GraphCall::HostNode;
    if (name.find("StreamBeginCapture") != name.npos)
        return GraphCall::CaptureBegins;
    if (name.find("StreamEndCapture") != name.npos)
        return GraphCall::CaptureEnds;
    const bool isOfGraphs = name.find("Graph") != name.npos && name.find("Graphics") == name.npos;
    if (name.starts_with("cu") && isOfGraphs && !analysis::launchesGraph(name))
        return GraphCall::Makes;
    return kind == CallKind::HostFunction ? GraphCall::HostFunction : GraphCall::None;
}

/// By the number of the name.
std::vector<GraphCall> graphCallsOf(const Trace& trace, const CallKinds& calls) {
    std::vector<GraphCall> marks;
    for (std::uint32_t id = 0; id < trace.texts(); ++id)
        marks.push_back(graphCallOf(trace.text(StringId{id}), calls[StringId{id}]));
    return marks;
}

bool isWithin(const std::set<std::uint16_t>& capturing, std::uint16_t thread) {
    return !capturing.empty() && capturing.contains(thread);
}

} // namespace

std::vector<std::uint8_t> callsThatMakeGraphs(const Trace& trace) {
    const std::vector<GraphCall> marks = graphCallsOf(trace, CallKinds(trace));
    const auto makes = [](GraphCall mark) {
        return mark == GraphCall::Makes || mark == GraphCall::HostNode || mark == GraphCall::CaptureBegins ||
               mark == GraphCall::CaptureEnds;
    };
    std::vector<std::uint8_t> made;
    if (std::ranges::none_of(marks, makes))
        return made;
    made.assign(trace.size(), 0);
    std::set<std::uint16_t> capturing; // threads
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        if (trace.cls(row) != ActivityClass::Api)
            continue;
        const std::uint16_t thread = trace.queueOf(row).value;
        const GraphCall mark = marks[trace.nameOf(row).value];
        made[row] = makes(mark) || isWithin(capturing, thread) ? 1 : 0;
        if (mark == GraphCall::CaptureBegins)
            capturing.insert(thread);
        else if (mark == GraphCall::CaptureEnds)
            capturing.erase(thread);
    }
    return made;
}

bool graphsCallHost(const Trace& trace) {
    const std::vector<GraphCall> marks = graphCallsOf(trace, CallKinds(trace));
    const auto has = [&](GraphCall mark) { return std::ranges::find(marks, mark) != marks.end(); };
    if (!has(GraphCall::HostNode) && !(has(GraphCall::CaptureBegins) && has(GraphCall::HostFunction)))
        return false;
    std::set<std::uint16_t> capturing; // threads
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        if (trace.cls(row) != ActivityClass::Api)
            continue;
        const std::uint16_t thread = trace.queueOf(row).value;
        const GraphCall mark = marks[trace.nameOf(row).value];
        if (mark == GraphCall::HostNode || (mark == GraphCall::HostFunction && capturing.contains(thread)))
            return true;
        if (mark == GraphCall::CaptureBegins)
            capturing.insert(thread);
        else if (mark == GraphCall::CaptureEnds)
            capturing.erase(thread);
    }
    return false;
}

} // namespace olab::replay
