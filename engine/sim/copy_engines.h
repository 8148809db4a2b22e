// The copy engines of all devices: one copy at a time, never interrupted. Next is the ready copy of the last
// served stream, else one of its channel, else one of the next channel by number.
#pragma once

#include "host_links.h"

#include <optional>

namespace olab::sim {

class CopyEngines {
public:
    CopyEngines(Context& context, HostLinks& links)
        : m_context(context)
        , m_links(links)
        , m_engines(kEngineUnits * context.program.devices) {}
    void submit(std::uint32_t op);
    /// The copy on `engine` is complete. Call next() after notifying its dependents.
    std::uint32_t copyDone(std::uint32_t engine);
    /// `follower`: the op that follows the finished one in its stream if it is about to arrive, else kNone.
    void next(std::uint32_t engine, std::uint32_t follower);
    /// `op`, expected next, has to wait for something else after all.
    void late(std::uint32_t op);

private:
    struct Engine {
        std::uint32_t op = kNone;          ///< the copy it works on
        std::uint32_t reservedFor = kNone; ///< the copy it waits for
        std::uint32_t channel = 0;         ///< last channel served
        std::vector<std::uint32_t> waiting;
    };
    std::uint32_t engineOf(const SimOp& op) const {
        return op.device * kEngineUnits + static_cast<std::uint32_t>(op.unit);
    }
    void start(std::uint32_t engine, std::uint32_t op);
    void startOnBus(std::uint32_t engine, std::uint32_t op);
    std::uint32_t takeNext(Engine& engine) const;
    std::int64_t stagedRate(std::uint32_t op) const;
    void stageHost(std::uint32_t op, Ns work);
    Context& m_context;
    HostLinks& m_links;
    std::vector<Engine> m_engines;
};

} // namespace olab::sim
