// Fills the wait table: several threads at once, each its own stretch of numbers.
#pragma once

#include <olab/analysis/wait_table.h>

namespace olab {

class WaitWriter {
public:
    static void resize(WaitTable& table, std::size_t size) {
        table.m_wait.resize(size), table.m_held.resize(size);
        table.m_blocker.resize(size), table.m_cause.resize(size);
    }
    explicit WaitWriter(WaitTable& table)
        : m_table(table) {}
    void put(std::size_t number, const Wait& wait) {
        if (!m_table.m_wait.set(number, wait.wait))
            m_longWaits.emplace_back(number, wait.wait);
        if (!m_table.m_held.set(number, wait.held))
            m_longHolds.emplace_back(number, wait.held);
        m_table.m_blocker[number] = wait.blocker;
        m_table.m_cause[number] = wait.cause;
        ++m_counts[static_cast<std::size_t>(wait.cause)];
    }
    /// When all have put their waits, stretch by stretch.
    void finish() const {
        for (const auto& [number, wait] : m_longWaits)
            m_table.m_wait.addLong(number, wait);
        for (const auto& [number, held] : m_longHolds)
            m_table.m_held.addLong(number, held);
        for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
            m_table.m_counts[cause] += m_counts[cause];
    }

private:
    WaitTable& m_table;
    std::vector<std::pair<std::size_t, Ns>> m_longWaits, m_longHolds;
    std::array<std::uint64_t, kWaitCauses> m_counts{};
};

} // namespace olab
