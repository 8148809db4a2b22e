// Files of torch.profiler show that calls recorded events and made streams wait, but not which ones: derived
// here from the order of the calls and the begins of work.
#pragma once

#include "device/event_calls.h"
#include "graph/graph_sketch.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace olab::replay {

class UnseenEvents {
public:
    explicit UnseenEvents(const Sketch& sketch);
    /// No call made a stream wait, or records say what for.
    bool isEmpty() const { return m_processes.empty(); }
    /// Whether a call made its stream wait between this work and the work before it.
    bool mayWait(NodeId work) const { return !isEmpty() && waitBefore(work).has_value(); }
    /// Asks about work that began `held` later than all its known predecessors. False: no call made its
    /// stream wait between it and the work before it.
    bool ask(NodeId work, Ns held);
    struct Answer {
        NodeId work = kNoNode;
        std::optional<Edge> event; ///< empty: unknown what it waited for
    };
    /// For all work that was asked about and may have waited; call when all was asked.
    std::vector<Answer> answers() const;
    /// Events that other work of these streams must have waited for too, although another constraint came
    /// later: a loop repeats its records and waits in the same order.
    std::vector<Edge> others() const;

private:
    struct Marked { ///< the last work of its stream before an event record
        Ns end = 0, recorded = 0;
        NodeId work = kNoNode;
    };
    /// Work of one stream and one name after which events were recorded.
    struct Source {
        std::uint16_t queue = 0;
        StringId name{};
        friend auto operator<=>(const Source&, const Source&) = default;
    };
    using Recorded = std::vector<std::pair<Ns, NodeId>>; ///< times of event records, and the work before them
    struct Process {
        EventCalls calls;
        std::vector<Marked> marked; ///< by end
        std::map<Source, Recorded> bySource;
    };
    struct Asked {
        Answer likely;
        Ns wait = 0; ///< begin of the call that made its stream wait
    };
    /// Waits of one stream; long ones separate, because those of a few microseconds may be launch latency.
    struct Group {
        std::vector<Asked> all;
        std::size_t fitting = 0;
    };
    void mark(const std::vector<NodeId>& stream);
    std::uint32_t processOf(NodeId work) const {
        return m_sketch.trace.queues()[m_sketch.graph.nodes[work].queue].process;
    }
    /// When the next event after this work was recorded; empty: none.
    std::optional<Ns> recordedBehind(const Process& process, NodeId work) const;
    std::optional<Ns> waitBefore(NodeId work) const;
    std::optional<Edge> eventOf(NodeId work, Ns wait, Ns held) const;
    bool isSure(const Group& group) const;
    /// What the waits of a stream are repeatedly for.
    struct Habit {
        Source source;
        std::ptrdiff_t back = 0; ///< which of its events, counted back from the call: 1 is the last one
        friend auto operator<=>(const Habit&, const Habit&) = default;
    };
    std::optional<Habit> habitOf(const Group& group) const; ///< empty: it varies
    static Recorded::const_iterator endBefore(const Recorded& all, Ns wait);
    Source sourceOf(NodeId work) const;
    std::optional<Edge> eventBefore(NodeId work, const Habit& habit, Ns latency) const;

    const Sketch& m_sketch;
    std::map<std::uint32_t, Process> m_processes;
    std::map<std::pair<std::uint16_t, bool>, Group> m_groups;
    std::size_t m_fitting = 0;      ///< over all groups
    std::vector<NodeId> m_previous; ///< per node: the work before it in its stream
};

} // namespace olab::replay
