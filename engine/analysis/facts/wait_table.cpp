#include <olab/analysis/wait_table.h>

namespace olab::analysis {

std::size_t WaitTable::memoryBytes() const {
    return m_wait.memoryBytes() + m_heldOtherwise.memoryBytes() + m_held.memoryBytes() +
           m_blocker.memoryBytes() + m_cause.capacity();
}

} // namespace olab::analysis
