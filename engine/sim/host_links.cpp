#include "host_links.h"

#include "scaled.h"

#include <algorithm>

namespace olab::sim {

void HostLinks::start(const Flow& flow) {
    settle();
    ++countOf(flow);
    auto slot = std::find_if(m_slots.begin(), m_slots.end(), [](const Slot& s) { return !s.active; });
    if (slot == m_slots.end())
        slot = m_slots.insert(slot, Slot{});
    slot->flow = flow;
    slot->active = true;
    reschedule();
}

std::optional<Flow> HostLinks::done(std::uint32_t index, std::uint32_t generation) {
    Slot& slot = m_slots[index];
    if (!slot.active || slot.generation != generation)
        return std::nullopt;
    settle();
    slot.active = false;
    --countOf(slot.flow);
    const Flow flow = slot.flow;
    reschedule();
    return flow;
}

/// The current rate of the flow, as limited by its own device.
std::int64_t HostLinks::linkRate(const Flow& flow) const {
    const DeviceModel& model = m_context.model;
    const bool both = countOf(flow.device, !flow.toDevice) > 0;
    const std::uint32_t sharing = countOf(flow.device, flow.toDevice);
    if (!both && sharing == 1)
        return flow.rate;
    const std::int64_t alone = copyRate(model, flow.toDevice, false);
    const std::int64_t link = both ? (flow.toDevice ? model.h2dBothRate : model.d2hBothRate) : alone;
    return std::max<std::int64_t>(std::min(flow.rate, link / sharing), 1);
}

void HostLinks::findRates() {
    m_rates.assign(m_slots.size(), 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].active)
            sum += m_rates[i] = linkRate(m_slots[i].flow);
    const std::int64_t most = m_context.model.hostMemoryRate;
    if (m_context.program.devices > 1 && sum > most)
        for (std::int64_t& rate : m_rates)
            rate = std::max<std::int64_t>(scaled(rate, most, sum), rate > 0 ? 1 : 0);
}

/// Subtracts what has moved since the last change.
void HostLinks::settle() {
    const Ns elapsed = m_context.now() - m_settledAt;
    m_settledAt = m_context.now();
    for (std::size_t i = 0; elapsed > 0 && i < m_slots.size(); ++i) {
        Flow& flow = m_slots[i].flow;
        if (m_slots[i].active)
            flow.work = std::max<Ns>(flow.work - scaled(elapsed, m_rates[i], flow.rate), 0);
    }
}

void HostLinks::reschedule() {
    findRates();
    for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
        Slot& slot = m_slots[i];
        if (!slot.active)
            continue;
        const Ns left = scaledUp(slot.flow.work, slot.flow.rate, m_rates[i]);
        m_context.events.at(m_context.now() + left, EventKind::FlowDone, i, ++slot.generation);
    }
}

} // namespace olab::sim
