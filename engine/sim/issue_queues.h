// Queues that are served in the order of issue, where a device or a system has such: one per engine (before
// Hyper-Q), or a single one for all engines (sim.submission=wddm-hags). Only the first op of a queue may go
// to its engine, however ready the others are; and a single queue keeps only one engine busy at a time.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

class IssueQueues {
public:
    explicit IssueQueues(Context& context)
        : m_context(context)
        , m_queues(kEngineUnits * context.program.devices)
        , m_running(m_queues.size(), 0) {}
    bool inUse() const { return m_context.program.queues != QueueMode::Ready; }
    void enqueued(std::uint32_t op);
    /// Whether `op`, which is ready, may go; if not, an event Granted tells when it may.
    bool mayGo(std::uint32_t op);
    void dispatched(std::uint32_t op);
    void done(std::uint32_t op);

private:
    bool single() const { return m_context.program.queues == QueueMode::Single; }
    static std::uint32_t engineOf(const SimOp& op) {
        return op.device * kEngineUnits + static_cast<std::uint32_t>(op.unit);
    }
    std::deque<std::uint32_t>& queueOf(const SimOp& op) {
        return m_queues[single() ? op.device * kEngineUnits : engineOf(op)];
    }
    bool otherEngineRuns(const SimOp& op) const;
    void letFirstGo(const std::deque<std::uint32_t>& queue);
    bool queues(const SimOp& op) const { return inUse() && isEngine(op.unit); }
    Context& m_context;
    std::vector<std::deque<std::uint32_t>> m_queues;
    std::vector<std::uint32_t> m_running; ///< per engine: ops dispatched and not done
};

} // namespace olab::sim
