// Queues that are served in order of issue: one per hardware channel, shared by streams without their
// knowledge; on old devices one per engine (before Hyper-Q), or a single one for all engines
// (sim.submission=wddm-hags). Only the first op of a queue may go to its engine, even if others are ready,
// and it leaves the queue when it has started. A host function is in the queue of the preceding op of its
// stream, and goes when everything before it in the queue has ended. A single queue keeps only one engine
// busy at a time.
//
// Everything that an op waits for was issued before it, so cyclic waits are impossible.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

class IssueQueues {
public:
    explicit IssueQueues(Context& context)
        : m_context(context) {}
    /// Served by engines of old devices, strictly in order, even within a stream.
    bool inUse() const { return m_context.program.queues != QueueMode::Ready; }
    /// `op` has its channel already.
    void enqueued(std::uint32_t op);
    /// Whether `op`, which is ready, may go; if not, an event Granted follows.
    bool mayGo(std::uint32_t op);
    void dispatched(std::uint32_t op);
    void done(std::uint32_t op);

private:
    struct Queue {
        std::deque<std::uint32_t> ops;
        std::uint32_t running = 0; ///< ops dispatched and not done
    };
    bool single() const { return m_context.program.queues == QueueMode::Single; }
    static std::uint32_t engineOf(const SimOp& op) {
        return op.device * kEngineUnits + static_cast<std::uint32_t>(op.unit);
    }
    std::size_t indexOf(const SimOp& op) const;
    Queue& queueOf(const SimOp& op);
    bool mayLead(const SimOp& op);
    void leave(Queue& queue);
    void letFirstGo(Queue& queue);
    bool queues(const SimOp& op) const {
        return isEngine(op.unit) || (!inUse() && op.unit == Unit::Worker && op.channel != kNone);
    }
    Context& m_context;
    std::vector<Queue> m_queues;          ///< per device and channel
    std::vector<std::uint32_t> m_running; ///< per engine, of a single queue
};

} // namespace olab::sim
