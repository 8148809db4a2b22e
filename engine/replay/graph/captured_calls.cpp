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

/// By the id of the name.
std::vector<GraphCall> graphCallsOf(const Trace& trace, const CallKinds& calls) {
    std::vector<GraphCall> marks;
    for (std::uint32_t id = 0; id < trace.texts(); ++id)
        marks.push_back(graphCallOf(trace.text(StringId{id}), calls[StringId{id}]));
    return marks;
}

/// Calls `take` with each call, its role for graphs, and whether its thread is capturing one; `take` returns
/// whether it has seen enough.
template <typename Take>
void followCaptures(const Trace& trace, const std::vector<GraphCall>& marks, Take take) {
    std::set<std::uint16_t> capturing; // threads
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        if (trace.cls(row) != ActivityClass::Api)
            continue;
        const std::uint16_t thread = trace.queueOf(row).value;
        const GraphCall mark = marks[trace.nameOf(row).value];
        if (take(row, mark, !capturing.empty() && capturing.contains(thread)))
            return;
        if (mark == GraphCall::CaptureBegins)
            capturing.insert(thread);
        else if (mark == GraphCall::CaptureEnds)
            capturing.erase(thread);
    }
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
    followCaptures(trace, marks, [&](ActivityIndex row, GraphCall mark, bool isCaptured) {
        made[row] = makes(mark) || isCaptured ? 1 : 0;
        return false;
    });
    return made;
}

bool graphsCallHost(const Trace& trace) {
    const std::vector<GraphCall> marks = graphCallsOf(trace, CallKinds(trace));
    const auto has = [&](GraphCall mark) { return std::ranges::find(marks, mark) != marks.end(); };
    if (!has(GraphCall::HostNode) && !(has(GraphCall::CaptureBegins) && has(GraphCall::HostFunction)))
        return false;
    bool called = false;
    followCaptures(trace, marks, [&](ActivityIndex, GraphCall mark, bool isCaptured) {
        return called = mark == GraphCall::HostNode || (mark == GraphCall::HostFunction && isCaptured);
    });
    return called;
}

} // namespace olab::replay
