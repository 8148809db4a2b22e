// The streams: each a queue of ops in issue order, of which only the first may run. Says when an op is ready:
// after its own issue, the op before it, the gate and the NULL-stream barrier, each with its latency.
#pragma once

#include "channel_pools.h"
#include "null_barrier.h"

namespace olab::sim {

class StreamSet {
public:
    StreamSet(Context& context, ChannelPools& channels);
    bool ringFull(std::uint32_t stream) const;
    /// The host has handed `op` over.
    void enqueue(std::uint32_t op);
    void openGate();
    bool gateClosed() const { return !m_gateOpen; }
    Ns gateOpenedAt() const { return m_gateOpenedAt; }
    void dispatched(std::uint32_t op);
    void done(std::uint32_t op);
    /// The op that follows in the stream, if nothing but a latency keeps it from its engine; else kNone.
    std::uint32_t scheduled(std::uint32_t stream) const;
    std::uint64_t unfinished() const { return m_unfinished; }

private:
    struct Queue {
        std::uint32_t head = kNone, tail = kNone;
        std::uint32_t inRing = 0; ///< handed over and not dispatched
        bool headScheduled = false;
        bool waitsForNull = false;
        bool hasPredecessor = false;
        OpKind lastKind{};
        Ns lastEnd = 0;
    };
    void advance(std::uint32_t stream);
    void schedule(std::uint32_t stream);
    Ns readyTime(const Queue& queue, std::uint32_t op);
    Ns hop(OpKind from, OpKind to) const;
    void wakeBarred();
    Context& m_context;
    ChannelPools& m_channels;
    NullBarrier m_barrier;
    std::vector<Queue> m_queues;
    std::vector<std::uint32_t> m_barred; ///< blocking streams that wait for the NULL stream
    std::uint64_t m_unfinished = 0;
    bool m_gateOpen = true;
    Ns m_gateOpenedAt = 0;
};

} // namespace olab::sim
