// Files of torch.profiler tell that calls recorded events and made streams wait, but not which: told here
// from the order of the calls and from when work began.
#pragma once

#include "graph_sketch.h"

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

private:
    struct Marked { ///< the last work of its stream before an event was recorded
        Ns end = 0, recorded = 0;
        NodeId work = kNoNode;
    };
    struct Process {
        std::vector<Ns> records, waits; ///< when these calls began
        std::vector<Marked> marked;     ///< by end
    };
    /// Of one stream, long waits apart: those of a few microseconds may be the launch's own.
    struct Group {
        std::vector<Answer> all;
        std::size_t fitting = 0;
    };
    void findCalls();
    void mark(const std::vector<NodeId>& stream);
    std::uint32_t processOf(NodeId work) const {
        return m_sketch.trace.queues()[m_sketch.graph.nodes[work].queue].process;
    }
    std::optional<Ns> waitBefore(NodeId work) const;
    std::optional<Edge> eventOf(NodeId work, Ns wait, Ns held) const;

    const Sketch& m_sketch;
    std::map<std::uint32_t, Process> m_processes;
    std::map<std::pair<std::uint16_t, bool>, Group> m_groups;
    std::vector<NodeId> m_previous; ///< per node: the work before it in its stream
};

} // namespace olab::replay
