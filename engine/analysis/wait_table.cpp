#include <olab/analysis/wait_table.h>

namespace olab {

std::size_t WaitTable::memoryBytes() const {
    return m_wait.memoryBytes() + m_held.memoryBytes() + m_blocker.capacity() * sizeof(ActivityIndex) +
           m_cause.capacity();
}

} // namespace olab
