// Copies: the engines that make them, and the links that they share.
#pragma once

#include "program.h"

#include <optional>

namespace olab::sim {

// What moves between host and device memory: copies, and kernels that use host memory in place. Flows in one
// direction of a device share its link; both directions together are slower than each alone, and all devices
// together are limited by the bandwidth of the host's memory.

enum class FlowUse : std::uint8_t { Copy, Read, Write };

struct Flow {
    std::uint32_t device = 0;
    bool toDevice = true;
    std::int64_t rate = 1; ///< its rate with the link to itself
    Ns work = 0;           ///< the time that takes; later the remaining time
    FlowUse use{};
    std::uint32_t subject = 0; ///< copy engine, or the compute engine's id
};

class HostLinks {
public:
    explicit HostLinks(Context& context)
        : m_context(context)
        , m_settledAt(context.now())
        , m_count(2 * context.program.devices, 0) {}
    void start(const Flow& flow);
    /// Handles FlowDone; ignores a stale one.
    std::optional<Flow> done(std::uint32_t slot, std::uint32_t generation);

private:
    struct Slot {
        Flow flow;
        std::uint32_t generation = 0;
        bool active = false;
    };
    std::uint32_t& countOf(const Flow& flow) { return m_count[2 * flow.device + (flow.toDevice ? 0 : 1)]; }
    std::uint32_t countOf(std::uint32_t device, bool toDevice) const {
        return m_count[2 * device + (toDevice ? 0 : 1)];
    }
    std::int64_t linkRate(const Flow& flow) const;
    void settle();
    void reschedule();
    void findRates();
    Context& m_context;
    Ns m_settledAt;
    std::vector<std::uint32_t> m_count; ///< flows per device and direction
    std::vector<Slot> m_slots;
    std::vector<std::int64_t> m_rates; ///< per slot, now
};

/// The copy engines of all devices: one copy at a time, never interrupted. Next is the ready copy of the last
/// served stream, else one of its channel, else one of the next channel by number.
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
