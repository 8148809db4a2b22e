#include "null_barrier.h"

namespace olab::sim {

void NullBarrier::issued(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    Device& device = m_devices[o.device];
    o.epoch = static_cast<std::uint32_t>(device.open.size() - 1);
    if (isNull(o))
        device.open.push_back(0);
    else if (isBlocking(o))
        ++device.open.back();
}

bool NullBarrier::clear(std::uint32_t op) const {
    const SimOp& o = m_context.op(op);
    const Device& device = m_devices[o.device];
    // A NULL op's epoch closed when it was issued; earlier epochs were empty before the previous NULL op
    // could go.
    if (isNull(o))
        return device.open[o.epoch] == 0;
    return !isBlocking(o) || o.epoch <= device.nullDone;
}

void NullBarrier::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    Device& device = m_devices[o.device];
    if (isNull(o)) {
        ++device.nullDone;
        device.nullDoneAt = m_context.now();
    } else if (isBlocking(o)) {
        --device.open[o.epoch];
        device.blockingDoneAt = m_context.now();
    }
}

Ns NullBarrier::clearedAt(std::uint32_t op) const {
    const SimOp& o = m_context.op(op);
    const Device& device = m_devices[o.device];
    if (isNull(o))
        return device.blockingDoneAt;
    return isBlocking(o) ? device.nullDoneAt : 0;
}

} // namespace olab::sim
