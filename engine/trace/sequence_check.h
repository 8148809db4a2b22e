// Tracks the chunks of a file: finds duplicate, misplaced and missing ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

namespace olab::container_detail {

class SequenceCheck {
public:
    /// False if this one was there before.
    bool take(std::uint32_t number) {
        if (number < m_front || !m_ahead.insert(number).second) {
            ++m_repeated;
            return false;
        }
        if (number < m_next)
            ++m_moved;
        m_next = std::max(m_next, std::uint64_t{number} + 1);
        while (!m_ahead.empty() && *m_ahead.begin() == m_front) {
            m_ahead.erase(m_ahead.begin());
            ++m_front;
        }
        return true;
    }
    std::uint64_t repeated() const { return m_repeated; }
    std::uint64_t moved() const { return m_moved; }
    /// Missing numbers below the highest seen.
    std::uint64_t missing() const { return m_next - m_front - m_ahead.size(); }

private:
    std::uint64_t m_front = 0;       // all below it were seen
    std::uint64_t m_next = 0;        // one more than the highest seen
    std::set<std::uint32_t> m_ahead; // seen numbers at or above m_front: few unless chunks are missing
    std::uint64_t m_repeated = 0, m_moved = 0;
};

} // namespace olab::container_detail
