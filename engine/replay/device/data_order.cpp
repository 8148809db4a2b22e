#include "device/data_order.h"

#include <olab/experiment/data_flow.h>

namespace olab::replay {
namespace {

/// First and last device work of an op; a staged copy has several.
struct WorkOfOp {
    NodeId first = kNoNode, last = kNoNode;
};

WorkOfOp workOfOp(const Sketch& sketch, OpId op) {
    WorkOfOp found;
    for (const ActivityIndex row : sketch.facts.ofOp(op)) {
        if (!isDeviceClass(sketch.trace.cls(row)))
            continue;
        const NodeId n = sketch.nodeOf(row);
        const auto endOf = [&](NodeId node) { return sketch.graph.nodes[node].measured.end; };
        if (found.first == kNoNode || sketch.isBefore(n, found.first))
            found.first = n;
        if (found.last == kNoNode || endOf(n) > endOf(found.last))
            found.last = n;
    }
    return found;
}

} // namespace

void addDataOrder(Sketch& sketch) {
    if (!sketch.facts.schedule())
        return;
    for (const experiment::DataOrder& pair : experiment::dataOrder(*sketch.facts.schedule())) {
        const NodeId from = workOfOp(sketch, pair.before).last, to = workOfOp(sketch, pair.after).first;
        const bool known = from != kNoNode && to != kNoNode;
        if (known && sketch[from].queue != sketch[to].queue) // otherwise the stream's order covers it
            sketch.connect({.from = from, .to = to, .kind = EdgeKind::Stream, .ownLatency = true});
    }
}

} // namespace olab::replay
