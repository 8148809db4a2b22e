#include "device/unseen_events.h"

#include <algorithm>
#include <set>

namespace olab::replay {
namespace {

constexpr int kEndsBack = 64;

Edge inferred(NodeId from, NodeId to, Ns latency) {
    return {.from = from,
            .to = to,
            .latency = latency,
            .kind = EdgeKind::Event,
            .cause = analysis::LossCause::EventOrder,
            .ownLatency = true,
            .isInferred = true};
}

} // namespace

UnseenEvents::UnseenEvents(const Sketch& sketch)
    : m_sketch(sketch) {
    for (auto& [number, calls] : unseenEventCalls(sketch))
        if (!calls.waits.empty() && !calls.records.empty())
            m_processes[number].calls = std::move(calls);
    if (m_processes.empty())
        return;
    m_previous.assign(sketch.graph.nodes.size(), kNoNode);
    for (const auto& stream : sketch.streams)
        mark(stream);
    for (auto& [number, process] : m_processes) {
        for (const Marked& each : process.marked)
            process.bySource[sourceOf(each.work)].emplace_back(each.recorded, each.work);
        for (auto& [source, all] : process.bySource)
            std::ranges::sort(all);
        std::ranges::sort(process.marked, {}, [](const Marked& m) { return std::pair(m.end, m.work); });
    }
}

std::optional<Ns> UnseenEvents::recordedBehind(const Process& process, NodeId work) const {
    const auto next = std::ranges::upper_bound(process.calls.records, m_sketch.issuedAt(work));
    return next == process.calls.records.end() ? std::nullopt : std::optional(*next);
}

void UnseenEvents::mark(const std::vector<NodeId>& stream) {
    NodeId before = kNoNode;
    const auto close = [&](Ns until) {
        const auto process = before == kNoNode ? m_processes.end() : m_processes.find(processOf(before));
        if (process == m_processes.end() || m_sketch.graph.nodes[before].kind != NodeKind::Work)
            return;
        const std::optional<Ns> recorded = recordedBehind(process->second, before);
        if (recorded && *recorded < until)
            process->second.marked.push_back({m_sketch.graph.nodes[before].measured.end, *recorded, before});
    };
    for (const NodeId n : stream) {
        close(m_sketch.issuedAt(n));
        m_previous[n] = before;
        before = n;
    }
    close(std::numeric_limits<Ns>::max());
}

/// Begin of the last such call before the work was issued.
std::optional<Ns> UnseenEvents::waitBefore(NodeId work) const {
    if (m_sketch.graph.nodes[work].queue >= m_sketch.streams.size())
        return std::nullopt;
    const auto process = m_processes.find(processOf(work));
    if (process == m_processes.end())
        return std::nullopt;
    const auto& waits = process->second.calls.waits;
    const auto behind = std::ranges::upper_bound(waits, m_sketch.issuedAt(work));
    const NodeId previous = m_previous[work];
    if (behind == waits.begin() || (previous != kNoNode && *(behind - 1) < m_sketch.issuedAt(previous)))
        return std::nullopt;
    return *(behind - 1);
}

/// Work of another stream that ended as this one began, not before the other known predecessors: the last
/// work before an event was recorded, which was before the wait.
std::optional<Edge> UnseenEvents::eventOf(NodeId work, Ns wait, Ns held) const {
    const Node& node = m_sketch.graph.nodes[work];
    const auto& marked = m_processes.at(processOf(work)).marked;
    auto at = std::ranges::upper_bound(marked, node.measured.begin, {}, &Marked::end);
    for (int looks = 0; looks < kEndsBack && at != marked.begin(); ++looks) {
        --at;
        const Ns waited = node.measured.begin - at->end;
        if (waited > std::min(usual::kPause, held))
            break;
        if (m_sketch.graph.nodes[at->work].queue != node.queue && at->recorded < wait &&
            m_sketch.isBefore(at->work, work))
            return inferred(at->work, work, waited);
    }
    return std::nullopt;
}

bool UnseenEvents::ask(NodeId work, Ns held) {
    const std::optional<Ns> wait =
        m_processes.empty() || held <= usual::kIssue ? std::nullopt : waitBefore(work);
    if (!wait)
        return false;
    Group& group = m_groups[{m_sketch.graph.nodes[work].queue, held > usual::kPause}];
    group.all.push_back({{work, eventOf(work, *wait, held)}, *wait});
    if (group.all.back().likely.event)
        ++group.fitting, ++m_fitting;
    return true;
}

/// One matching end may be chance. A stream that repeatedly continues when another one ends waits for it: at
/// least in half of the possible cases.
bool UnseenEvents::isSure(const Group& group) const {
    constexpr std::size_t kAgain = 3;
    return m_fitting >= kAgain && 2 * group.fitting >= group.all.size();
}

std::vector<UnseenEvents::Answer> UnseenEvents::answers() const {
    std::vector<Answer> all;
    for (const auto& [stream, group] : m_groups)
        for (const auto& [likely, wait] : group.all)
            all.push_back({likely.work, isSure(group) ? likely.event : std::nullopt});
    return all;
}

UnseenEvents::Recorded::const_iterator UnseenEvents::endBefore(const Recorded& all, Ns wait) {
    return std::ranges::lower_bound(all, wait, {}, &Recorded::value_type::first);
}

UnseenEvents::Source UnseenEvents::sourceOf(NodeId work) const {
    const Node& node = m_sketch.graph.nodes[work];
    return {node.queue, m_sketch.trace.nameOf(node.row)};
}

std::optional<UnseenEvents::Habit> UnseenEvents::habitOf(const Group& group) const {
    constexpr std::size_t kFewest = 5, kMost = 10; // all but one of so many
    std::map<Habit, std::size_t> found;
    for (const auto& [likely, wait] : group.all) {
        if (!likely.event)
            continue;
        const NodeId from = likely.event->from;
        const Source source = sourceOf(from);
        const Process& process = m_processes.at(processOf(likely.work));
        const Recorded& all = process.bySource.at(source);
        const auto at = std::ranges::lower_bound(all, std::pair(*recordedBehind(process, from), from));
        ++found[{source, endBefore(all, wait) - at}];
    }
    const auto most = std::ranges::max_element(found, {}, [](const auto& each) { return each.second; });
    if (group.fitting < kFewest || kMost * (group.fitting - most->second) > group.fitting)
        return std::nullopt;
    return most->first;
}

std::optional<Edge> UnseenEvents::eventBefore(NodeId work, const Habit& habit, Ns latency) const {
    const std::optional<Ns> wait = waitBefore(work);
    if (!wait)
        return std::nullopt;
    const Process& process = m_processes.at(processOf(work));
    const auto all = process.bySource.find(habit.source);
    if (all == process.bySource.end())
        return std::nullopt;
    const auto end = endBefore(all->second, *wait);
    if (end - all->second.begin() < habit.back)
        return std::nullopt;
    const NodeId from = (end - habit.back)->second;
    if (!m_sketch.isBefore(from, work))
        return std::nullopt;
    return inferred(from, work, latency);
}

std::vector<Edge> UnseenEvents::others() const {
    std::vector<Edge> all;
    for (const auto& [stream, group] : m_groups) {
        const auto habit = isSure(group) ? habitOf(group) : std::nullopt;
        if (!habit)
            continue;
        std::set<NodeId> asked;
        std::vector<Ns> latencies;
        for (const auto& [likely, wait] : group.all) {
            asked.insert(likely.work);
            if (likely.event)
                latencies.push_back(likely.event->latency);
        }
        std::ranges::nth_element(latencies, latencies.begin() + std::ssize(latencies) / 2);
        for (const NodeId n : m_sketch.streams[stream.first])
            if (const auto edge = asked.contains(n) ? std::nullopt
                                                    : eventBefore(n, *habit, latencies[latencies.size() / 2]))
                all.push_back(*edge);
    }
    return all;
}

} // namespace olab::replay
