// Files of torch.profiler tell that calls recorded events and made streams wait, but not which: told here
// from the order of the calls and from when work began.
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
    /// No call made a stream wait, or records say for what.
    bool isEmpty() const { return m_processes.empty(); }
    /// A call made its stream wait between this work and what is before it there.
    bool mayWait(NodeId work) const { return !isEmpty() && waitBefore(work).has_value(); }
    /// Work that began `held` later than all that is known to be before it. False: no call made its stream
    /// wait between it and what is before it there.
    bool ask(NodeId work, Ns held);
    struct Answer {
        NodeId work = kNoNode;
        std::optional<Edge> event; ///< nothing: it is not known what it waited for
    };
    /// About all work that was asked about and may have waited, once all was.
    std::vector<Answer> answers() const;
    /// Events that other work of these streams must have waited for too, though something else came later: a
    /// loop records and waits in the same order again and again.
    std::vector<Edge> others() const;

private:
    struct Marked { ///< the last work of its stream before an event was recorded
        Ns end = 0, recorded = 0;
        NodeId work = kNoNode;
    };
    /// Work of one stream and one name behind which events were recorded.
    struct Source {
        std::uint16_t queue = 0;
        StringId name{};
        friend auto operator<=>(const Source&, const Source&) = default;
    };
    using Recorded = std::vector<std::pair<Ns, NodeId>>; ///< when events were recorded, behind which work
    struct Process {
        EventCalls calls;
        std::vector<Marked> marked; ///< by end
        std::map<Source, Recorded> bySource;
    };
    struct Asked {
        Answer likely;
        Ns wait = 0; ///< when the call began that made its stream wait
    };
    /// Of one stream, long waits apart: those of a few microseconds may be the launch's own.
    struct Group {
        std::vector<Asked> all;
        std::size_t fitting = 0;
    };
    void mark(const std::vector<NodeId>& stream);
    std::uint32_t processOf(NodeId work) const {
        return m_sketch.trace.queues()[m_sketch.graph.nodes[work].queue].process;
    }
    /// When the next event behind this work was recorded; nothing: none was.
    std::optional<Ns> recordedBehind(const Process& process, NodeId work) const;
    std::optional<Ns> waitBefore(NodeId work) const;
    std::optional<Edge> eventOf(NodeId work, Ns wait, Ns held) const;
    bool isSure(const Group& group) const;
    /// What the waits of a stream are for, again and again.
    struct Habit {
        Source source;
        std::ptrdiff_t back = 0; ///< which of its events, counted back from the call: 1 is the last one
        friend auto operator<=>(const Habit&, const Habit&) = default;
    };
    std::optional<Habit> habitOf(const Group& group) const; ///< nothing: it differs
    static Recorded::const_iterator endBefore(const Recorded& all, Ns wait);
    Source sourceOf(NodeId work) const;
    std::optional<Edge> eventBefore(NodeId work, const Habit& habit, Ns latency) const;

    const Sketch& m_sketch;
    std::map<std::uint32_t, Process> m_processes;
    std::map<std::pair<std::uint16_t, bool>, Group> m_groups;
    std::size_t m_fitting = 0;      ///< in all groups
    std::vector<NodeId> m_previous; ///< per node: the work before it in its stream
};

} // namespace olab::replay
