// A value over time to which activities contribute, such as GB/s: the amount of each (bytes) is spread evenly
// over its own time, and simultaneous ones are summed. Stored as stretches of constant value with the amount
// before each, so any column of any view costs one lookup, and the amounts of adjacent columns always add up
// to that of the whole. Amounts are whole units (bytes); inside a copy that crosses others they are rounded
// down by less than one for each of them. Times in ns. Immutable; any thread.
#pragma once

#include <olab/trace/columns.h>
#include <olab/view/strip_table.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace olab::view {

/// An activity that contributes `amount` over `time`.
struct ValuePart {
    Interval time;
    std::int64_t amount;
};

class ValueSeries {
public:
    /// Above any plausible amount: 1 PiB. Activities with more, with nothing, or without length are left out
    /// and counted, so that no value is invented.
    static constexpr std::int64_t kMost = std::int64_t{1} << 50;

    ValueSeries() = default;
    /// `parts`: sorted by begin.
    explicit ValueSeries(std::span<const ValuePart> parts);

    bool empty() const { return m_times.empty(); }      ///< there is no value
    std::uint64_t count() const { return m_count; }     ///< of the included parts
    std::uint64_t leftOut() const { return m_leftOut; } ///< of the parts left out
    double peak() const { return m_peak; }              ///< the highest value, in units per ns
    std::int64_t before(Ns t) const;
    std::int64_t in(Interval range) const { return before(range.end) - before(range.begin); }
    /// The total amount.
    std::int64_t total() const { return empty() ? 0 : m_before[m_times.size()]; }
    /// Stretches of constant value, and the amount of each.
    std::size_t stretches() const { return m_times.size(); }
    ValuePart stretch(std::size_t i) const { return {m_times[i], m_before[i + 1] - m_before[i]}; }
    std::size_t memoryBytes() const;

private:
    class Maker;
    std::shared_ptr<const TimesColumn> m_columns; ///< the memory that m_times points into
    Times m_times;                                ///< stretches of one value: sorted, they do not cross
    AscendingColumn m_before;                     ///< the amount before each, and at the end of the last one
    StripTable m_table;
    std::uint64_t m_count = 0, m_leftOut = 0;
    double m_peak = 0;
};

struct ViewColumns;

/// The height of each column if the peak is `height` pixels: rounded to the nearest pixel, at least one if
/// there is anything at all.
std::vector<int> valueHeights(const ValueSeries& series, const ViewColumns& columns, int height);

} // namespace olab::view
