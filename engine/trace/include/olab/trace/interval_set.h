// Sorted, disjoint, half-open intervals of int64 ns with prefix sums: the same object is used for verdicts
// (overlap numbers) and for drawing (share of a pixel column). Rules: reference_overlap.py section 2:
// [begin,end); touching intervals do not overlap. Immutable once made: copies share their memory.
#pragma once

#include <olab/trace/columns.h>
#include <olab/trace/times.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace olab {

class IntervalSet {
public:
    IntervalSet() = default;
    /// Union of any intervals in any order; those with end <= begin are ignored.
    static IntervalSet unionOf(std::vector<Interval> intervals);
    /// Union of intervals already sorted by begin: O(n), no copy of the input.
    static IntervalSet unionOfSorted(std::span<const Interval> intervals);

    bool empty() const { return m_intervals.empty(); }
    std::size_t size() const { return m_intervals.size(); }
    const Times& intervals() const { return m_intervals; } ///< valid as long as any copy of the set
    Ns total() const { return m_total; }
    /// Time covered inside `range`. O(log n).
    Ns measure(Interval range) const;
    /// Whether any interval touches `range`. O(log n).
    bool touches(Interval range) const;

    IntervalSet united(const IntervalSet& other) const;
    IntervalSet intersected(const IntervalSet& other) const;
    IntervalSet subtracted(const IntervalSet& other) const;
    friend bool operator==(const IntervalSet& a, const IntervalSet& b);
    /// Memory of this set and all that share it.
    std::size_t memoryBytes() const;

private:
    friend class CoverageCursor;
    friend class IntervalSetMaker;
    static constexpr std::size_t kEvery = 8;
    struct Columns {
        TimesColumn intervals;  ///< sorted, disjoint, not touching
        AscendingColumn before; ///< before[k] = covered time before intervals[k * kEvery].begin
    };
    Ns coveredBefore(Ns t) const;
    Ns coveredBefore(Ns t, std::size_t next) const; ///< `next`: the first interval with begin >= t
    Times m_intervals;
    Ns m_total = 0;
    std::shared_ptr<const Columns> m_columns; ///< the memory that the others point into
};

/// Makes a set from intervals sorted by begin, at most `most` of them.
class IntervalSetMaker {
public:
    explicit IntervalSetMaker(std::size_t most);
    /// An interval that touches or crosses the last one extends it; one with end <= begin is ignored.
    [[gnu::always_inline]] void add(Interval next) {
        if (next.end <= next.begin)
            return;
        if (hasLast() && next.begin <= m_last.end) {
            m_last.end = std::max(m_last.end, next.end);
            return;
        }
        keepLast();
        m_last = next;
    }
    IntervalSet take();

private:
    bool hasLast() const { return m_last.begin < m_last.end; }
    void keepLast() {
        if (!hasLast())
            return;
        if (m_columns.intervals.size() % IntervalSet::kEvery == 0)
            m_columns.before.push_back(m_before);
        m_columns.intervals.add(m_last);
        m_before += m_last.length();
    }
    IntervalSet::Columns m_columns;
    Interval m_last; ///< may still grow; empty until there is one with a length
    Ns m_before = 0; ///< covered before it
};

/// Measures ranges of one set from left to right: each search starts near the end of the last one and takes
/// doubling steps, so it costs O(log distance), at worst O(log n). Any order is correct, ascending is fast.
/// Keeps a reference to the set; one thread.
class CoverageCursor {
public:
    explicit CoverageCursor(const IntervalSet& set)
        : m_set(&set) {}
    /// The same number as IntervalSet::measure(range).
    Ns measure(Interval range);

private:
    Ns coveredBefore(Ns t);
    std::size_t firstFrom(Ns t) const; ///< the first interval with begin >= t
    const IntervalSet* m_set;
    std::size_t m_advance = 0; ///< of the last search
    std::size_t m_next = 0;    ///< the first interval with begin >= m_time, once m_looked
    Ns m_time = 0, m_covered = 0;
    bool m_looked = false;
};

/// Length of the intersection without building it. O(n + m).
Ns overlapLength(const IntervalSet& a, const IntervalSet& b);
/// Time with at least two of `intervals` (any order) at once: the contract's concurrent_ns.
Ns concurrentLength(std::vector<Interval> intervals);

} // namespace olab
