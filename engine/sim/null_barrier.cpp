#include "null_barrier.h"

namespace olab::sim {

void NullBarrier::issued(std::uint32_t op) {
    SimOp& o = m_context.op(op);
    o.epoch = static_cast<std::uint32_t>(m_open.size() - 1);
    if (isNull(o))
        m_open.push_back(0);
    else if (isBlocking(o))
        ++m_open.back();
}

bool NullBarrier::clear(std::uint32_t op) const {
    const SimOp& o = m_context.op(op);
    // A NULL op's epoch closed when it was issued; the epochs before it were empty before the NULL op before
    // it could go.
    if (isNull(o))
        return m_open[o.epoch] == 0;
    return !isBlocking(o) || o.epoch <= m_nullDone;
}

void NullBarrier::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    if (isNull(o)) {
        ++m_nullDone;
        m_nullDoneAt = m_context.now();
    } else if (isBlocking(o)) {
        --m_open[o.epoch];
        m_blockingDoneAt = m_context.now();
    }
}

Ns NullBarrier::clearedAt(std::uint32_t op) const {
    const SimOp& o = m_context.op(op);
    if (isNull(o))
        return m_blockingDoneAt;
    return isBlocking(o) ? m_nullDoneAt : 0;
}

} // namespace olab::sim
