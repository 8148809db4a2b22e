#include "build/build_graph.h"

#include "build/latencies.h"
#include "build/owners.h"
#include "device/communication_side.h"
#include "device/data_order.h"
#include "device/device_side.h"
#include "device/migrations.h"
#include "device/submission.h"
#include "graph/captured_calls.h"
#include "host/hand_overs.h"
#include "host/host_side.h"
#include "host/recorder_cost.h"

#include <olab/trace/run_control.h>

#include <algorithm>

namespace olab::replay {
namespace {

/// A run of the lab records its measured window; any other run ends with its last work.
void setSpan(Sketch& sketch, Interval part) {
    Graph& graph = sketch.graph;
    const Interval run = part.length() > 0 ? part : sketch.facts.runSpan();
    graph.start = run.begin;
    graph.end = run.end;
    graph.isPart = part.length() > 0;
    graph.endsWithWork = !sketch.trace.hasTracedWindow();
}

void addGate(Sketch& sketch) {
    if (sketch.graph.endsWithWork)
        return;
    Node gate;
    gate.kind = NodeKind::Start;
    gate.measured = {sketch.graph.start, sketch.graph.start};
    gate.earliest = sketch.graph.start;
    sketch.gate = sketch.add(gate);
}

/// Steps without predecessors begin at their recorded time.
void keepStarts(Sketch& sketch) {
    std::vector<std::uint8_t> behind(sketch.graph.nodes.size(), 0);
    for (const Edge& edge : sketch.graph.edges)
        behind[edge.to] = 1;
    for (NodeId n = 0; n < behind.size(); ++n)
        if (!behind[n])
            sketch[n].earliest = sketch[n].measured.begin;
}

void setTail(Sketch& sketch) {
    Graph& graph = sketch.graph;
    Ns last = graph.start;
    for (const Node& node : graph.nodes)
        if (!graph.endsWithWork || node.kind == NodeKind::Work)
            last = std::max(last, node.measured.end);
    graph.tail = graph.end - last;
}

void findCauses(Graph& graph) {
    for (const Node& node : graph.nodes) {
        if (node.fixed != node.work)
            graph.present = graph.present.with(node.fixedBy);
        if (node.held > 0 && node.heldBy != analysis::LossCause::Unexplained)
            graph.present = graph.present.with(node.heldBy);
        if (node.extra != 0)
            graph.present = graph.present.with(node.extraCause);
        if (node.cls == ActivityClass::Kernel && node.share >= kFullShare)
            graph.present = graph.present.with(analysis::LossCause::MemsetFullGrid);
    }
    for (const analysis::OwnedWait& wait : graph.waits) // the player removes these; no node or edge has them
        if (wait.cause == analysis::LossCause::HeadOfLine || wait.cause == analysis::LossCause::Priority)
            graph.present = graph.present.with(wait.cause);
    for (const Edge& edge : graph.edges) {
        graph.present = graph.present.with(edge.cause);
        if (edge.latency != edge.fixedLatency)
            graph.present = graph.present.with(edge.latencyCause);
    }
}

} // namespace

Graph buildGraph(const analysis::Facts& facts, const RunControl& control, const analysis::JudgedPart* part,
                 RecorderShare recorder) {
    Sketch sketch(facts);
    sketch.graph.devices = facts.perDevice().size();
    sketch.graph.enginesPerDevice = kEngineCount;
    setSpan(sketch, part ? part->time : Interval{});
    sketch.graphsCallHost = (part && part->graphsCallHost) || graphsCallHost(sketch.trace);
    addThreads(sketch);
    control.throwIfCancelled();
    addGate(sketch);
    addWork(sketch);
    markCommunication(sketch);
    addHostFunctions(sketch);
    addStreams(sketch);
    control.throwIfCancelled();
    addWaits(sketch);
    addHandOvers(sketch);
    addWakeUps(sketch);
    addSetOff(sketch);
    shareOutRecorder(sketch, recorder);
    addIssue(sketch);
    addEvents(sketch);
    addDataOrder(sketch);
    addNullStream(sketch);
    addWaysPast(sketch);
    addChannels(sketch);
    addLoading(sketch);
    addCommunication(sketch);
    addSubmission(sketch);
    addMigrations(sketch);
    keepStarts(sketch);
    control.throwIfCancelled();
    shareOutDurations(sketch);
    learnLatencies(sketch);
    findOwners(sketch);
    shareOutCommunication(sketch);
    setTail(sketch);
    index(sketch.graph);
    findCauses(sketch.graph);
    return std::move(sketch.graph);
}

} // namespace olab::replay
