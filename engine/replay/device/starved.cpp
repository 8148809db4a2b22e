#include "device/starved.h"

#include "device/occupied.h"
#include "graph/room.h"

#include <algorithm>

namespace olab::replay {

Starved::Starved(Sketch& sketch)
    : m_sketch(sketch)
    , m_areThere(std::ranges::any_of(sketch.graph.workOf, [&](NodeId n) {
        return sketch[n].priority != sketch[sketch.graph.workOf.front()].priority;
    })) {}

NodeId Starved::heldBy(NodeId kernel, Ns since) const {
    constexpr double kWaves = 2; // with fewer, the blocks begin at once or nearly so
    const Node& node = m_sketch.graph.nodes[kernel];
    if (!m_areThere || node.cls != ActivityClass::Kernel)
        return kNoNode;
    return occupiedBy(m_sketch, kernel, since, [&](const Node& other) {
        return other.priority < node.priority && wavesOf(m_sketch.trace, other) >= kWaves;
    });
}

void Starved::free(NodeId kernel, NodeId large) {
    Node& longer = m_sketch[large];
    auto left = static_cast<double>(longer.work), given = 0.0; // of the large grid
    const auto rows = m_sketch.facts.ofStream(QueueId{m_sketch[kernel].queue});
    const auto first = std::ranges::lower_bound(rows, m_sketch[kernel].row);
    for (auto row = first; row != rows.end() && left > 0; ++row) {
        if (row != first && !m_sketch.facts.awaitedEvents(*row).empty())
            break;
        Node& node = m_sketch[m_sketch.nodeOf(*row)];
        const double share = node.cls == ActivityClass::Kernel ? residentShareOf(m_sketch.trace, node) : 0;
        const auto time = static_cast<double>(node.work);
        node.goesBetween = node.unit == Unit::Sms;
        given += share * time;
        left -= (1 - share) * time;
    }
    if (longer.fixedBy == analysis::LossCause::None) {
        longer.fixedBy = analysis::LossCause::Priority;
        longer.fixed = longer.work + static_cast<Ns>(given);
    }
}

} // namespace olab::replay
