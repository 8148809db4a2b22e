// The device activities among all rows of a trace, numbered in begin order from 0, so that data about device
// work needs an entry for each of them only, not for each row. If the trace holds nothing else, the numbers
// are the rows and nothing is stored. Immutable; any thread.
#pragma once

#include <olab/analysis/ranked_bits.h>
#include <olab/trace/trace.h>

namespace olab::analysis {

class DeviceWork {
public:
    DeviceWork() = default;
    explicit DeviceWork(const Trace& trace);

    std::size_t size() const { return m_size; }
    [[gnu::always_inline]] ActivityIndex row(std::size_t number) const {
        return m_rows.empty() ? static_cast<ActivityIndex>(number) : m_rows[number];
    }
    /// `row` must be device work.
    std::size_t numberOf(ActivityIndex row) const { return m_rows.empty() ? row : m_isWork.rank(row); }
    /// The first number whose row is `row` or a later one.
    std::size_t numberFrom(ActivityIndex row) const {
        return m_rows.empty() ? std::min<std::size_t>(row, m_size) : m_isWork.rank(row);
    }
    std::size_t memoryBytes() const { return m_rows.memoryBytes() + m_isWork.memoryBytes(); }

private:
    std::size_t m_size = 0;
    NearColumn m_rows; ///< per number; empty if all rows are device work
    RankedBits m_isWork;
};

} // namespace olab::analysis
