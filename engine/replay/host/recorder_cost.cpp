#include "host/recorder_cost.h"

#include "graph/captured_calls.h"

#include <olab/analysis/named_ranges.h>

#include <algorithm>
#include <map>

namespace olab::replay {
namespace {

/// Most of the overhead of recording a range lies inside it, beyond its begin and end, or slows later code:
/// 60 PyTorch loops with and without torch.profiler took 2 to 4 times as much longer as those two show.
constexpr Ns kTimesSeen = 3;
constexpr Ns kMostOfRange = 6'000;   ///< the dearest of those loops; more is the operator's own
constexpr std::size_t kFewest = 100; ///< ranges, below which no usual time is told
constexpr double kMostOfPause = 0.9;

bool isOperator(std::string_view name) {
    return name.starts_with("aten::");
}

Ns scaled(Ns time, double by) {
    return static_cast<Ns>(static_cast<double>(time) * by);
}

Ns medianOf(std::vector<Ns>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

class Ranges {
public:
    explicit Ranges(const Trace& trace) {
        const auto isOfFramework = [&](ActivityIndex row) {
            return isOperator(trace.text(trace.nameOf(row)));
        };
        for (const auto& [thread, rows] : analysis::rangesByThread(trace, isOfFramework))
            for (const ActivityIndex row : rows)
                m_times[thread.value].push_back(trace.time(row));
    }
    /// 0: unknown.
    Ns costOfOne(double slowness) const {
        std::vector<Ns> begins, ends;
        for (const auto& [thread, times] : m_times)
            for (std::size_t i = 0; i + 1 < times.size(); ++i)
                if (times[i + 1].end <= times[i].end) { // the first one inside it
                    begins.push_back(times[i + 1].begin - times[i].begin);
                    ends.push_back(times[i].end - times[i + 1].end);
                }
        if (begins.size() < kFewest)
            return 0;
        return std::min(scaled(kMostOfRange, slowness), kTimesSeen * (medianOf(begins) + medianOf(ends)));
    }
    Ns countWithin(std::uint16_t thread, Interval time) const {
        const auto found = m_times.find(thread);
        if (found == m_times.end())
            return 0;
        const auto first = std::ranges::lower_bound(found->second, time.begin, {}, &Interval::begin);
        return std::ranges::lower_bound(first, found->second.end(), time.end, {}, &Interval::begin) - first;
    }

private:
    std::map<std::uint16_t, std::vector<Interval>> m_times; ///< by thread
};

/// What CUPTI, which all these profilers use, adds to a launch: 2000 tiny ones in a row of a C++ program
/// took 3.3 us each on an H200, recorded 4.1; launches of PyTorch, where more lies between two, 2 to 3,
/// recorded 6 to 8. There the code between two launches is slower too: 20 loops took 5 to 16 us longer a
/// launch.
struct LaunchCost {
    double share = 0.3; ///< of the recorded call
    Ns most = 1'500;
};
constexpr LaunchCost kInterpreted{0.5, 4'000};
constexpr LaunchCost kBetweenInterpreted{0.4, 6'000}; ///< of the time between a call and the launch after it
/// Hosts take turns of some seconds in which the same recorded loop takes half as long again: two loops of
/// PyTorch took 15 and 26 us longer a launch, and 5 us a minute later.
constexpr LaunchCost kMostInterpreted{0.6, 8'000}, kMostBetweenInterpreted{0.6, 18'000};

bool isShortLaunch(const Sketch& sketch, const Node& node) {
    const bool isLaunch =
        node.fixedBy == analysis::LossCause::LaunchBound || node.fixedBy == analysis::LossCause::SmallCopies;
    return node.kind == NodeKind::Call && isLaunch && node.work <= usual::kPause &&
           sketch.facts.issuedBy(node.row).size() > 0;
}

/// By how much longer this host takes than those on which the limits above were found, as its launches show:
/// what recording takes is its time too. Where one host took 8.2 us for a recorded launch, recording took 11
/// us a launch of a loop; where 7.3, 8.8.
double slownessOf(const Sketch& sketch) {
    constexpr double kUsualLaunch = 6'000, kMost = 2;
    std::vector<Ns> launches;
    for (const Node& node : sketch.graph.nodes)
        if (isShortLaunch(sketch, node))
            launches.push_back(node.work);
    if (launches.size() < kFewest)
        return 1;
    return std::clamp(static_cast<double>(medianOf(launches)) / kUsualLaunch, 1.0, kMost);
}

Ns takenOf(const LaunchCost& cost, Ns time, double slowness) {
    return std::min(scaled(cost.most, slowness), scaled(time, cost.share));
}

void addRecorderTime(Node& call, Ns taken) {
    call.extra += taken;
    call.extraCause = analysis::LossCause::Tool;
}

void shareOutLaunches(Sketch& sketch, double slowness, RecorderShare share) {
    const bool isPython = sketch.reasons.isPython(), isMost = share == RecorderShare::AtMost;
    const bool hasRanges = sketch.facts.count(ActivityClass::Nvtx) >= kFewest; // shared out below
    for (Edge& edge : sketch.graph.edges) {
        Node& launch = sketch[edge.to];
        if (!isPython || hasRanges || edge.kind != EdgeKind::Thread || edge.latency <= 0 ||
            !isShortLaunch(sketch, launch))
            continue;
        const Ns taken =
            takenOf(isMost ? kMostBetweenInterpreted : kBetweenInterpreted, edge.latency, slowness);
        edge.latency -= taken;
        addRecorderTime(launch, taken);
    }
    for (Node& node : sketch.graph.nodes) {
        if (!isShortLaunch(sketch, node))
            continue;
        const LaunchCost& ofPython = isMost ? kMostInterpreted : kInterpreted;
        const Ns taken = takenOf(isPython ? ofPython : LaunchCost(), node.work, slowness);
        node.work -= taken;
        node.fixed = std::min(node.fixed, node.work);
        addRecorderTime(node, taken);
    }
}

/// Launching a graph that is recorded node by node takes most of its time for that: where each launch had a
/// new graph of 163 nodes it took 555 us on an H200, and the device began 440 us into it; all that the host
/// did took 1.7 ms a launch, and 1.15 ms unrecorded. Graphs of 331 nodes took 290 to 760 us.
void shareOutGraphLaunches(Sketch& sketch) {
    constexpr Ns kNode = 100; // unrecorded
    for (Node& node : sketch.graph.nodes) {
        if (node.kind != NodeKind::Call || node.fixedBy != analysis::LossCause::LaunchBound)
            continue;
        const std::size_t nodes = sketch.facts.issuedBy(node.row).size();
        if (nodes < kFewestRecordedNodes ||
            !analysis::launchesGraph(sketch.trace.text(sketch.trace.nameOf(node.row))))
            continue;
        const auto count = static_cast<Ns>(nodes);
        const Ns taken =
            std::clamp<Ns>(node.work - usual::kCall - count * kNode, 0, count * kMostOfRecordedNode);
        node.work -= taken;
        node.fixed = std::min(node.fixed, node.work);
        addRecorderTime(node, taken);
    }
}

void shareOutRanges(Sketch& sketch, double slowness) {
    if (sketch.facts.count(ActivityClass::Nvtx) < kFewest)
        return;
    const Ranges ranges(sketch.trace);
    const Ns cost = ranges.costOfOne(slowness);
    if (cost == 0)
        return;
    for (Edge& edge : sketch.graph.edges) {
        Node& call = sketch[edge.to];
        if (edge.kind != EdgeKind::Thread || edge.latency <= 0 || call.kind != NodeKind::Call)
            continue;
        const Interval pause{call.measured.begin - edge.latency, call.measured.begin};
        const Ns taken =
            std::min(scaled(edge.latency, kMostOfPause), cost * ranges.countWithin(call.queue, pause));
        if (taken <= 0)
            continue;
        edge.latency -= taken;
        addRecorderTime(call, taken);
        if (edge.latencyCause != analysis::LossCause::SmallCopies)
            edge.latencyCause = sketch.reasons.ofPause(QueueId{call.queue}, pause, edge.latency);
    }
}

} // namespace

void shareOutRecorder(Sketch& sketch, RecorderShare share) {
    if (!sketch.graph.endsWithWork)
        return;
    const bool hasRanges = sketch.facts.count(ActivityClass::Nvtx) >= kFewest;
    sketch.graph.recorderInDoubt = sketch.reasons.isPython() && !hasRanges;
    sketch.graph.recordsOperators = sketch.reasons.isPython() && hasRanges;
    const double slowness = slownessOf(sketch);
    shareOutLaunches(sketch, slowness, share);
    shareOutGraphLaunches(sketch);
    shareOutRanges(sketch, slowness);
}

} // namespace olab::replay
