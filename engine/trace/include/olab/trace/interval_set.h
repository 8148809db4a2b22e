// Sorted, disjoint, half-open intervals of int64 ns with prefix sums: the one object that is both judged
// (overlap numbers) and drawn (share of a pixel column). Rules: reference_overlap.py section 2: [begin,end);
// touching intervals do not overlap.
#pragma once

#include <olab/trace/types.h>

#include <span>
#include <vector>

namespace olab {

struct Interval {
    Ns begin = 0;
    Ns end = 0;
    constexpr Ns length() const { return end - begin; }
    constexpr bool contains(Ns t) const { return begin <= t && t < end; }
    friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

class IntervalSet {
public:
    IntervalSet() = default;
    /// Union of any intervals in any order; those with end <= begin add nothing.
    static IntervalSet unionOf(std::vector<Interval> intervals);
    /// Union of intervals already sorted by begin: O(n), no copy of the input.
    static IntervalSet unionOfSorted(std::span<const Interval> intervals);

    bool empty() const { return m_intervals.empty(); }
    std::size_t size() const { return m_intervals.size(); }
    std::span<const Interval> intervals() const { return m_intervals; }
    Ns total() const { return m_before.empty() ? 0 : m_before.back() + m_intervals.back().length(); }
    /// Time covered inside `range`. O(log n).
    Ns measure(Interval range) const;
    /// Whether any interval touches `range`. O(log n).
    bool touches(Interval range) const;

    IntervalSet united(const IntervalSet& other) const;
    IntervalSet intersected(const IntervalSet& other) const;
    IntervalSet subtracted(const IntervalSet& other) const;
    friend bool operator==(const IntervalSet& a, const IntervalSet& b) {
        return a.m_intervals == b.m_intervals;
    }

private:
    void push(Interval next); ///< appends, merging with the last one when they touch
    Ns coveredBefore(Ns t) const;
    std::vector<Interval> m_intervals; ///< sorted, disjoint, not touching
    std::vector<Ns> m_before;          ///< m_before[i] = covered time before m_intervals[i].begin
};

/// Length of the intersection without building it. O(n + m).
Ns overlapLength(const IntervalSet& a, const IntervalSet& b);
/// Time with at least two of `intervals` (any order) at once: the contract's concurrent_ns.
Ns concurrentLength(std::vector<Interval> intervals);

} // namespace olab
