#include <olab/trace/interval_set.h>

#include <algorithm>

namespace olab {
namespace {

struct ByBegin {
    bool operator()(const Interval& a, const Interval& b) const { return a.begin < b.begin; }
};

/// The overlaps of pairs of intervals, in order; an inverted interval for pairs that do not overlap.
template <typename Visit>
void eachShared(const IntervalSet& first, const IntervalSet& second, Visit visit) {
    const Times &one = first.intervals(), &two = second.intervals();
    if (one.empty() || two.empty())
        return;
    std::size_t a = 0, b = 0;
    Interval x = one[0], y = two[0];
    for (;;) {
        visit({std::max(x.begin, y.begin), std::min(x.end, y.end)});
        const bool xIsDone = x.end < y.end;
        if (xIsDone ? ++a == one.size() : ++b == two.size())
            return;
        (xIsDone ? x : y) = xIsDone ? one[a] : two[b];
    }
}

} // namespace

IntervalSetMaker::IntervalSetMaker(std::size_t most) {
    m_columns.intervals = TimesColumn(most);
    m_columns.before.reserve((most + IntervalSet::kEvery - 1) / IntervalSet::kEvery);
}

IntervalSet IntervalSetMaker::take() {
    IntervalSet set;
    keepLast();
    if (m_columns.intervals.size() == 0)
        return set;
    m_columns.intervals.finish(); // it exists as long as its recording
    m_columns.before.fit();
    set.m_total = m_before;
    set.m_columns = std::make_shared<const IntervalSet::Columns>(std::move(m_columns));
    set.m_intervals = set.m_columns->intervals.times();
    return set;
}

IntervalSet IntervalSet::unionOf(std::vector<Interval> intervals) {
    if (!std::is_sorted(intervals.begin(), intervals.end(), ByBegin{}))
        std::sort(intervals.begin(), intervals.end(), ByBegin{});
    return unionOfSorted(intervals);
}

IntervalSet IntervalSet::unionOfSorted(std::span<const Interval> intervals) {
    IntervalSetMaker maker(intervals.size());
    for (const Interval& i : intervals)
        maker.add(i);
    return maker.take();
}

Ns IntervalSet::coveredBefore(Ns t) const {
    return coveredBefore(t, m_intervals.firstFrom(t));
}

Ns IntervalSet::coveredBefore(Ns t, std::size_t next) const {
    if (next == 0)
        return 0;
    const std::size_t i = next - 1;
    Ns covered = m_columns->before[i / kEvery];
    for (std::size_t k = i / kEvery * kEvery; k < i; ++k)
        covered += m_intervals.length(k);
    const Interval last = m_intervals[i];
    return covered + std::min(t, last.end) - last.begin;
}

std::size_t IntervalSet::memoryBytes() const {
    return m_columns ? m_columns->intervals.memoryBytes() + m_columns->before.memoryBytes() : 0;
}

Ns IntervalSet::measure(Interval range) const {
    return range.end <= range.begin ? 0 : coveredBefore(range.end) - coveredBefore(range.begin);
}

bool operator==(const IntervalSet& a, const IntervalSet& b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i)
        same = a.m_intervals[i] == b.m_intervals[i];
    return same;
}

bool IntervalSet::touches(Interval range) const {
    if (range.end <= range.begin)
        return false;
    const std::size_t next = m_intervals.firstFrom(range.end);
    return next > 0 && m_intervals.end(next - 1) > range.begin;
}

IntervalSet IntervalSet::united(const IntervalSet& other) const {
    IntervalSetMaker maker(size() + other.size());
    const Times &one = m_intervals, &two = other.m_intervals;
    std::size_t a = 0, b = 0;
    if (!one.empty() && !two.empty())
        for (Interval x = one[0], y = two[0]; a < one.size() && b < two.size();) {
            const bool isX = x.begin <= y.begin;
            maker.add(isX ? x : y);
            if (isX ? ++a < one.size() : ++b < two.size())
                (isX ? x : y) = isX ? one[a] : two[b];
        }
    while (a < one.size())
        maker.add(one[a++]);
    while (b < two.size())
        maker.add(two[b++]);
    return maker.take();
}

IntervalSet IntervalSet::intersected(const IntervalSet& other) const {
    IntervalSetMaker maker(size() + other.size());
    eachShared(*this, other, [&](Interval both) { maker.add(both); });
    return maker.take();
}

IntervalSet IntervalSet::subtracted(const IntervalSet& other) const {
    IntervalSetMaker maker(size() + other.size()); // each hole may split one in two
    const Times& holes = other.m_intervals;
    std::size_t hole = 0;
    for (std::size_t i = 0; i < m_intervals.size(); ++i) {
        Interval rest = m_intervals[i];
        while (hole < holes.size() && holes.end(hole) <= rest.begin)
            ++hole;
        for (std::size_t h = hole; h < holes.size() && holes.begin(h) < rest.end; ++h) {
            maker.add({rest.begin, std::min(holes.begin(h), rest.end)});
            rest.begin = std::min(holes.end(h), rest.end);
            hole = h; // the last hole visited may extend into the next interval; earlier ones cannot
        }
        maker.add(rest);
    }
    return maker.take();
}

Ns CoverageCursor::measure(Interval range) {
    if (range.end <= range.begin)
        return 0;
    const Ns before = coveredBefore(range.begin);
    return coveredBefore(range.end) - before;
}

/// Starts where the last advance points to, because the columns of a view are alike: most answers are within
/// a few intervals, in memory just read. Doubling steps then bracket the answer.
std::size_t CoverageCursor::firstFrom(Ns t) const {
    const auto& all = m_set->m_intervals;
    const bool forth = m_looked && t > m_time;
    const std::size_t low = forth ? m_next : 0;
    const std::size_t guess = std::min(low + (forth ? m_advance : 0), all.size());
    std::size_t first = guess, last = guess;
    if (guess < all.size() && all.begin(guess) < t)
        for (std::size_t step = 1; last < all.size() && all.begin(last) < t; step *= 2) {
            first = last + 1;
            last += step;
        }
    else
        for (std::size_t step = 1; first > low && all.begin(first - 1) >= t; step *= 2) {
            last = first - 1;
            first -= std::min(step, first - low);
        }
    return all.firstFrom(t, first, std::min(last, all.size()));
}

Ns CoverageCursor::coveredBefore(Ns t) {
    if (m_looked && t == m_time) // adjacent ranges share an end
        return m_covered;
    const std::size_t next = firstFrom(t);
    m_advance = m_looked && next > m_next ? next - m_next : 0;
    m_next = next;
    m_looked = true;
    m_time = t;
    m_covered = m_set->coveredBefore(t, next);
    // Walking a large set is memory-bound: prefetches where the next search will begin.
    if (const std::size_t likely = next + m_advance; m_advance > 0 && likely < m_set->m_intervals.size()) {
        m_set->m_intervals.prefetch(likely);
        m_set->m_columns->before.prefetch(likely / IntervalSet::kEvery);
    }
    return m_covered;
}

Ns overlapLength(const IntervalSet& first, const IntervalSet& second) {
    Ns length = 0;
    eachShared(first, second, [&](Interval both) { length += std::max<Ns>(0, both.length()); });
    return length;
}

Ns concurrentLength(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(), ByBegin{});
    // The overlap of an interval with the union of earlier ones is time with two at once, and the union of
    // these overlaps is the total. The union so far ends at `reach`; its gaps are before `i.begin`.
    std::vector<Interval> shared;
    Ns reach = intervals.empty() ? 0 : intervals.front().begin;
    for (const Interval& i : intervals) {
        if (i.end <= i.begin)
            continue;
        shared.push_back({i.begin, std::min(i.end, reach)}); // empty if it begins after all others ended
        reach = std::max(reach, i.end);
    }
    return IntervalSet::unionOfSorted(shared).total();
}

} // namespace olab
