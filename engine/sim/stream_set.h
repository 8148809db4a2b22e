// The streams: each is a queue of ops in issue order; only the first may run. Determines when an op is ready:
// after its own issue, the op before it, the gate, the NULL-stream barrier and the event it waits for, each
// with its latency.
#pragma once

#include "issue_queues.h"

namespace olab::sim {

class StreamSet {
public:
    StreamSet(Context& context, ChannelPools& channels, IssueQueues& queues);
    bool ringFull(std::uint32_t stream) const;
    /// The host, or the system on its behalf, has submitted `op`.
    void enqueue(std::uint32_t op);
    void openGate();
    bool gateClosed() const { return !m_gateOpen; }
    Ns gateOpenedAt() const { return m_gateOpenedAt; }
    void dispatched(std::uint32_t op);
    void done(std::uint32_t op);
    /// The next op in the stream, if only a latency keeps it from its engine; else kNone.
    std::uint32_t scheduled(std::uint32_t stream) const;
    std::uint64_t unfinished() const { return m_unfinished; }
    /// How many ops were submitted to the stream, and how many of them are done.
    std::uint64_t issuedIn(std::uint32_t stream) const { return m_queues[stream].issued; }
    std::uint64_t doneIn(std::uint32_t stream) const { return m_queues[stream].done; }

private:
    struct Queue {
        std::uint32_t head = kNone, tail = kNone;
        std::uint32_t inRing = 0; ///< submitted and not dispatched
        std::uint64_t issued = 0, done = 0;
        bool headScheduled = false;
        bool waitsForNull = false;
        bool hasPredecessor = false;
        experiment::OpKind lastKind{};
        Ns lastEnd = 0;
        Ns free = 0; ///< when an event released it
    };
    struct Event {
        bool recorded = false, done = false;
        Ns doneAt = 0;
        std::vector<std::uint32_t> waiting; ///< streams
    };
    void advance(std::uint32_t stream);
    bool held(std::uint32_t stream);
    void schedule(std::uint32_t stream);
    Ns readyTime(const Queue& queue, std::uint32_t op);
    Ns hop(const Queue& queue, const SimOp& to) const;
    bool passes(const SimOp& op) const;
    void noteEvent(const SimOp& op);
    void remember(Queue& queue, const SimOp& op) const;
    void wakeBarred();
    Context& m_context;
    ChannelPools& m_channels;
    IssueQueues& m_issueQueues;
    NullBarrier m_barrier;
    std::vector<Queue> m_queues;
    std::vector<Event> m_events;
    std::vector<std::uint32_t> m_barred; ///< blocking streams that wait for the NULL stream
    std::uint64_t m_unfinished = 0;
    bool m_gateOpen = true;
    Ns m_gateOpenedAt = 0;
};

} // namespace olab::sim
