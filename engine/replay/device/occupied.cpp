#include "device/occupied.h"

#include <olab/trace/interval_set.h>

namespace olab::replay {

NodeId occupiedBy(const Sketch& sketch, NodeId waiting, Ns since, const LeftNoRoom& leftNoRoom) {
    constexpr std::ptrdiff_t kWorkBack = 64;
    constexpr double kMost = 0.9; // of the wait
    const auto& nodes = sketch.graph.nodes;
    const auto& work = sketch.graph.workOf; // by begin
    const Interval wait{since, nodes[waiting].measured.begin};
    const auto own =
        work.begin() + static_cast<std::ptrdiff_t>(sketch.facts.deviceWork().numberOf(nodes[waiting].row));
    std::vector<Interval> taken;
    NodeId longest = kNoNode;
    for (auto at = own; at != work.begin() && own - at < kWorkBack;) {
        const Node& other = nodes[*--at];
        if (other.cls != ActivityClass::Kernel || other.device != nodes[waiting].device ||
            other.queue == nodes[waiting].queue || other.measured.end <= since || !leftNoRoom(other))
            continue;
        taken.push_back(other.measured);
        if (longest == kNoNode || other.measured.length() > nodes[longest].measured.length())
            longest = *at;
    }
    const Ns together = IntervalSet::unionOf(std::move(taken)).measure(wait);
    return static_cast<double>(together) >= kMost * static_cast<double>(wait.length()) ? longest : kNoNode;
}

} // namespace olab::replay
