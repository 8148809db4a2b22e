// The waits of all device work in columns: 7 bytes each, plus 4 for each wait whose held time differs from
// its length. An ExplainedWait is assembled on request. Filled only by the analysis, immutable afterwards;
// any thread.
#pragma once

#include <olab/analysis/ranked_bits.h>
#include <olab/analysis/waits.h>
#include <olab/trace/columns.h>

#include <span>

namespace olab::analysis {

class WaitTable {
public:
    /// One entry per device activity, in begin order; `number` is its number in DeviceWork.
    std::size_t size() const { return m_cause.size(); }
    bool empty() const { return m_cause.empty(); }
    LossCause cause(std::size_t number) const { return m_cause[number]; }
    std::span<const LossCause> causes() const { return {m_cause.data(), m_cause.size()}; }
    ActivityIndex blocker(std::size_t number) const { return m_blocker[number]; }
    Ns wait(std::size_t number) const { return m_wait[number]; }
    Ns held(std::size_t number) const {
        return m_heldOtherwise.contains(number) ? m_held[m_heldOtherwise.rank(number)] : m_wait[number];
    }
    std::uint64_t count(LossCause cause) const { return m_counts[static_cast<std::size_t>(cause)]; }
    std::size_t memoryBytes() const;

private:
    friend class WaitWriter;
    LengthColumn m_wait;
    RankedBits m_heldOtherwise; ///< waits with a held time other than their length
    LengthColumn m_held;        ///< the held times of those
    NearColumn m_blocker;
    Column<LossCause> m_cause;
    std::array<std::uint64_t, kLossCauses> m_counts{};
};

} // namespace olab::analysis
