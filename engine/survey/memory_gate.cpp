#include "memory_gate.h"

namespace olab::survey {

void MemoryGate::take(std::uint64_t wanted) {
    std::unique_lock lock(m_mutex);
    m_freed.wait(lock, [&] { return m_taken == 0 || (wanted <= m_all && m_taken <= m_all - wanted); });
    m_taken += wanted;
}

void MemoryGate::giveBack(std::uint64_t taken) {
    const std::lock_guard lock(m_mutex);
    m_taken -= taken;
    m_freed.notify_all();
}

} // namespace olab::survey
