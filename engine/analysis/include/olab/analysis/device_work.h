// The activities of devices among all rows of a trace, numbered in begin order from 0: what is known of
// device work alone has an entry for each of them, not for each row. Where the trace holds nothing else the
// numbers are the rows themselves and nothing is stored. Immutable; any thread.
#pragma once

#include <olab/trace/trace.h>

#include <bit>
#include <limits>

namespace olab {

class DeviceWork {
public:
    DeviceWork() = default;
    explicit DeviceWork(const Trace& trace);

    std::size_t size() const { return m_size; }
    ActivityIndex row(std::size_t number) const {
        return m_rows.empty() ? static_cast<ActivityIndex>(number) : m_rows[number];
    }
    /// Of a row of device work.
    std::size_t numberOf(ActivityIndex row) const { return m_rows.empty() ? row : numberFrom(row); }
    /// The first number whose row is `row` or a later one.
    std::size_t numberFrom(ActivityIndex row) const {
        if (m_rows.empty())
            return std::min<std::size_t>(row, m_size);
        const Word& word = m_words[row / kBits];
        return word.before +
               static_cast<std::size_t>(std::popcount(word.bits & ((std::uint64_t{1} << row % kBits) - 1)));
    }

private:
    static constexpr std::size_t kBits = 64;
    struct Word {
        std::uint64_t bits = 0; ///< which of 64 rows are device work
        std::size_t before = 0; ///< how many of all rows before are
    };
    std::size_t m_size = 0;
    Column<ActivityIndex> m_rows; ///< of each number; empty where all rows are device work
    Column<Word> m_words;         ///< one more than there are rows for
};

} // namespace olab
