// What orders the ops of streams before they reach an engine: channels, issue queues, the NULL stream.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

/// Hardware channels. Each op gets one when it is submitted: compute work one of the compute channels, copies
/// one of those of their direction. A stream keeps its channel until another stream takes it: with fewer
/// channels than streams, the least recently used one. (Measured on an H200: which stream has which channel
/// in runs of nine streams.)
class ChannelPools {
public:
    explicit ChannelPools(Context& context);
    /// Gives `op` its channel, numbered as in records; a host function gets that of the preceding op in its
    /// stream. None for ops without an engine.
    void assign(std::uint32_t op);

private:
    struct Pool {
        std::uint32_t first = 0;             ///< number of its first channel
        std::vector<std::uint32_t> owner;    ///< of each channel: a stream
        std::vector<std::uint32_t> byUse;    ///< channels, least recently used first
        std::vector<std::uint32_t> ofStream; ///< a channel, or kNone
    };
    std::uint32_t take(Pool& pool, std::uint32_t stream);
    Context& m_context;
    std::vector<Pool> m_pools;         ///< per device and engine
    std::vector<std::uint32_t> m_last; ///< per stream: the channel of its last submitted op
};

/// Queues that are served in order of issue: one per hardware channel, shared by streams without their
/// knowledge; on old devices one per engine (before Hyper-Q), or a single one for all engines
/// (sim.submission=wddm-hags). Only the first op of a queue may go to its engine, even if others are ready,
/// and it leaves the queue when it has started. A host function is in the queue of the preceding op of its
/// stream, and goes when everything before it in the queue has ended. A single queue keeps only one engine
/// busy at a time.
///
/// Everything that an op waits for was issued before it, so cyclic waits are impossible.
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

/// The legacy NULL stream: its ops wait for everything issued before them to blocking streams, and what is
/// issued to blocking streams afterwards waits for them. NULL ops divide the issue order into epochs, so each
/// query is one comparison. Each device has its own NULL stream.
class NullBarrier {
public:
    explicit NullBarrier(Context& context)
        : m_context(context)
        , m_devices(context.program.devices) {}
    void issued(std::uint32_t op);
    /// Whether the barrier lets `op`, the first in its stream, go.
    bool clear(std::uint32_t op) const;
    void done(std::uint32_t op);
    /// When the barrier last released something relevant to `op`; 0: it never blocked anything.
    Ns clearedAt(std::uint32_t op) const;

private:
    struct Device {
        std::vector<std::uint32_t> open{0}; ///< per epoch: ops of blocking streams that have not finished
        std::uint32_t nullDone = 0;
        Ns nullDoneAt = 0, blockingDoneAt = 0;
    };
    bool isNull(const SimOp& op) const { return m_context.program.isNull(op.stream); }
    bool isBlocking(const SimOp& op) const {
        return m_context.program.streams[op.stream].kind == StreamKind::Blocking;
    }
    Context& m_context;
    std::vector<Device> m_devices;
};

} // namespace olab::sim
