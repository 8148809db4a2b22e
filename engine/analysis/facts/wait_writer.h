// Fills the wait table: several threads, each with its own stretch of numbers, which begins at a group of
// bits.
#pragma once

#include <olab/analysis/wait_table.h>

namespace olab::analysis {

class WaitWriter {
public:
    static constexpr std::size_t kGroup = 64;
    static_assert(kGroup % NearColumn::kGroup == 0 && kGroup % RankedBits::kGroup == 0);
    static void resize(WaitTable& table, std::size_t size) {
        table.m_wait.resize(size), table.m_cause.resize(size);
        table.m_heldOtherwise.resize(size);
    }
    explicit WaitWriter(WaitTable& table)
        : m_table(table) {}
    void reserve(std::size_t size) { m_blockers.reserve(size); }
    /// Numbers must ascend.
    void put(std::size_t number, const ExplainedWait& wait) {
        if (!m_table.m_wait.set(number, wait.length()))
            m_longWaits.emplace_back(number, wait.length());
        if (wait.held != wait.length()) {
            m_table.m_heldOtherwise.add(number);
            m_held.push_back(wait.held);
        }
        m_blockers.push_back(wait.blocker);
        m_table.m_cause[number] = wait.cause;
        ++m_counts[static_cast<std::size_t>(wait.cause)];
    }
    /// Once all waits are put: finish() once per stretch, then finishAll().
    void finish() {
        for (const auto& [number, wait] : m_longWaits)
            m_table.m_wait.addLong(number, wait);
        append(m_table.m_held, m_held);
        append(m_table.m_blocker, m_blockers);
        for (std::size_t cause = 0; cause < kLossCauses; ++cause)
            m_table.m_counts[cause] += m_counts[cause];
    }
    static void finishAll(WaitTable& table) {
        table.m_heldOtherwise.finish();
        table.m_blocker.fit();
    }

    static void setCause(WaitTable& table, std::size_t number, LossCause cause) {
        --table.m_counts[static_cast<std::size_t>(table.m_cause[number])];
        ++table.m_counts[static_cast<std::size_t>(table.m_cause[number] = cause)];
    }

private:
    /// The first part becomes the whole.
    template <typename AnyColumn>
    static void append(AnyColumn& all, AnyColumn& part) {
        if (all.empty())
            all = std::move(part);
        else
            all.append(part);
        part = {};
    }
    WaitTable& m_table;
    std::vector<std::pair<std::size_t, Ns>> m_longWaits;
    LengthColumn m_held;
    NearColumn m_blockers;
    std::array<std::uint64_t, kLossCauses> m_counts{};
};

} // namespace olab::analysis
