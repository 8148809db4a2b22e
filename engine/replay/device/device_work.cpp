// Nodes of device work and of host functions.
#include "device/device_side.h"

#include <algorithm>
#include <optional>

namespace olab::replay {
namespace {

std::uint8_t engineOf(const Trace& trace, ActivityIndex row) {
    const bool one = trace.devices()[trace.device(row)].copyEngines == 1;
    return static_cast<std::uint8_t>(one ? EngineKind::CopyH2D : trace.engine(row));
}

Node workNode(const Sketch& sketch, ActivityIndex row) {
    const Trace& trace = sketch.trace;
    const analysis::Work& work = sketch.facts.work(row);
    Node node;
    node.kind = NodeKind::Work;
    node.row = row;
    node.measured = sketch.graph.cut(trace.time(row));
    node.cls = trace.cls(row);
    node.latencyKind = static_cast<std::uint8_t>(
        work.isPageable() ? kClassCount + (node.cls == ActivityClass::MemcpyD2H ? 1 : 0)
                          : static_cast<std::size_t>(node.cls));
    node.device = trace.device(row);
    node.queue = trace.queueOf(row).value;
    node.priority = trace.queue(trace.queueOf(row)).priority;
    node.channel = trace.channelOf(row).value;
    node.engine = engineOf(trace, row);
    const bool sms = trace.engine(row) == EngineKind::Compute;
    const bool isCopy = trace.engine(row) != EngineKind::None && !analysis::isMigration(trace, row);
    node.unit = sms ? Unit::Sms : isCopy ? Unit::CopyEngine : Unit::None;
    if (node.cls == ActivityClass::Kernel)
        node.share = static_cast<float>(work.shareOfDevice().value_or(0));
    node.work = node.measured.length();
    return node;
}

/// Without a record: the stream whose work ended last before it, and which began none until it was done.
class LikelyStreams {
public:
    explicit LikelyStreams(const Sketch& sketch)
        : m_sketch(sketch)
        , m_byEnd(sketch.graph.workOf) {
        std::ranges::stable_sort(m_byEnd, {}, [&](NodeId n) { return sketch.graph.nodes[n].measured.end; });
    }
    std::optional<std::uint16_t> of(Interval hostFn) const {
        const auto& nodes = m_sketch.graph.nodes;
        auto at = std::ranges::upper_bound(m_byEnd, hostFn.begin, {},
                                           [&](NodeId n) { return nodes[n].measured.end; });
        for (int looks = 0; looks < kLooks && at != m_byEnd.begin(); ++looks)
            if (const std::uint16_t queue = nodes[*--at].queue; restsDuring(queue, hostFn))
                return queue;
        return std::nullopt;
    }

private:
    static constexpr int kLooks = 256; ///< limit for skipping streams that are busy meanwhile

    bool restsDuring(std::uint16_t queue, Interval hostFn) const {
        const auto rows = m_sketch.facts.ofStream(QueueId{queue});
        const auto time = [&](ActivityIndex row) { return m_sketch.trace.time(row); };
        const auto next = std::ranges::lower_bound(rows, hostFn.begin, {},
                                                   [&](ActivityIndex row) { return time(row).begin; });
        return (next == rows.end() || time(*next).begin >= hostFn.end) &&
               (next == rows.begin() || time(*(next - 1)).end <= hostFn.begin);
    }
    const Sketch& m_sketch;
    std::vector<NodeId> m_byEnd;
};

/// It only watches an event. Nothing waits for it, unless it makes the host issue more work.
bool isBeside(const Sketch& sketch, ActivityIndex hostFn) {
    const experiment::Op* op = sketch.facts.opOf(hostFn);
    return op && experiment::leavesStreamFree(*op) &&
           std::ranges::none_of(sketch.facts.schedule()->units,
                                [op](const experiment::IssueUnit& unit) { return unit.awaits == op->id; });
}

} // namespace

void addWork(Sketch& sketch) {
    const analysis::DeviceWork& work = sketch.facts.deviceWork();
    for (std::size_t n = 0; n < work.size(); ++n)
        sketch.graph.workOf.push_back(sketch.add(workNode(sketch, work.row(n))));
}

void addHostFunctions(Sketch& sketch) {
    if (sketch.facts.hostFunctions().empty())
        return;
    const LikelyStreams likely(sketch);
    for (const analysis::HostFunction& called : sketch.facts.hostFunctions()) {
        Node node;
        node.kind = NodeKind::HostFn;
        node.row = called.row;
        node.cls = ActivityClass::HostFn;
        node.latencyKind = static_cast<std::uint8_t>(node.cls);
        node.measured = sketch.graph.cut(sketch.trace.time(called.row));
        node.work = node.measured.length();
        node.fixedBy = analysis::LossCause::Callback;
        std::optional<std::uint16_t> stream;
        if (called.stream != kNoQueue)
            stream = called.stream.value;
        else if (!sketch.facts.opOf(called.row))
            stream = likely.of(sketch.trace.time(called.row));
        if (!stream || isBeside(sketch, called.row)) // nothing is known to wait for it
            continue;
        node.queue = *stream;
        sketch.hostFns.push_back(sketch.add(node));
    }
}

} // namespace olab::replay
