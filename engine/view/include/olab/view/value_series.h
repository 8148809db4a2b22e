// A value over time that activities add up to, such as GB/s: what each brings (bytes) is spread evenly over
// its own time, and where several run at once they are summed. Kept as stretches in which the value stays the
// same, with the amount before each, so any column of any view costs one look, and the amounts of columns
// that touch always add up to that of the whole. Amounts are whole units (bytes); inside a copy that crosses
// others they are rounded down by less than one for each of them. Times in ns. Immutable; any thread.
#pragma once

#include <olab/trace/ascending_column.h>
#include <olab/view/strip_table.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace olab {

/// One that brings `amount` over `time`.
struct ValuePart {
    Interval time;
    std::int64_t amount;
};

class ValueSeries {
public:
    /// More than one is taken to bring: 1 PiB. What brings more, or nothing, or has no length, is left out
    /// and counted, so that no value is made of what nobody recorded.
    static constexpr std::int64_t kMost = std::int64_t{1} << 50;

    ValueSeries() = default;
    /// `parts`: sorted by begin.
    explicit ValueSeries(std::span<const ValuePart> parts);

    bool empty() const { return m_times.empty(); }      ///< there is no value
    std::uint64_t count() const { return m_count; }     ///< of the parts that are in it
    std::uint64_t leftOut() const { return m_leftOut; } ///< of those that are not
    double peak() const { return m_peak; }              ///< the highest value, in units per ns
    std::int64_t before(Ns t) const;
    std::int64_t in(Interval range) const { return before(range.end) - before(range.begin); }
    /// Of all of it.
    std::int64_t total() const { return empty() ? 0 : m_before[m_times.size()]; }
    /// Stretches in which the value stays the same, and what each brings.
    std::size_t stretches() const { return m_times.size(); }
    ValuePart stretch(std::size_t i) const { return {m_times[i], m_before[i + 1] - m_before[i]}; }
    std::size_t memoryBytes() const;

private:
    class Maker;
    std::shared_ptr<const TimesColumn> m_columns; ///< what m_times points into
    Times m_times;                                ///< stretches of one value: sorted, they do not cross
    AscendingColumn m_before; ///< the amount before each, and before the end of the last one
    StripTable m_table;
    std::uint64_t m_count = 0, m_leftOut = 0;
    double m_peak = 0;
};

struct ViewColumns;

/// How high each column is, when `height` pixels are the peak: right to the nearest pixel, at least one where
/// there is anything at all.
std::vector<int> valueHeights(const ValueSeries& series, const ViewColumns& columns, int height);

} // namespace olab
