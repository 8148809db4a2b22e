// What moves between host and device memory: copies, and kernels that use host memory in place. Flows in one
// direction of a device share its link; both directions together are slower than each alone, and all devices
// together are limited by the bandwidth of the host's memory.
#pragma once

#include "program.h"

#include <optional>

namespace olab::sim {

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

} // namespace olab::sim
