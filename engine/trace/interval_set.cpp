#include <olab/trace/interval_set.h>

#include <algorithm>

namespace olab {
namespace {

struct ByBegin {
    bool operator()(const Interval& a, const Interval& b) const { return a.begin < b.begin; }
    bool operator()(const Interval& a, Ns t) const { return a.begin < t; }
};

} // namespace

IntervalSetMaker::IntervalSetMaker(std::size_t most) {
    m_columns.intervals.reserve(most);
    m_columns.before.reserve((most + IntervalSet::kEvery - 1) / IntervalSet::kEvery);
}

IntervalSet IntervalSetMaker::take() {
    IntervalSet set;
    if (m_columns.intervals.empty())
        return set;
    if (m_columns.intervals.size() < m_columns.intervals.capacity() / 8 * 7) { // it lives as long as its
        m_columns.intervals.shrink_to_fit();                                   // recording
        m_columns.before.shrink_to_fit();
    }
    set.m_total = m_before + m_columns.intervals.back().length();
    set.m_columns = std::make_shared<const IntervalSet::Columns>(std::move(m_columns));
    set.m_intervals = set.m_columns->intervals;
    set.m_before = set.m_columns->before.data();
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
    const auto next = std::lower_bound(m_intervals.begin(), m_intervals.end(), t, ByBegin{});
    return coveredBefore(t, static_cast<std::size_t>(next - m_intervals.begin()));
}

Ns IntervalSet::coveredBefore(Ns t, std::size_t next) const {
    if (next == 0)
        return 0;
    const std::size_t i = next - 1;
    Ns covered = m_before[i / kEvery];
    for (std::size_t k = i / kEvery * kEvery; k < i; ++k)
        covered += m_intervals[k].length();
    return covered + std::min(t, m_intervals[i].end) - m_intervals[i].begin;
}

std::size_t IntervalSet::memoryBytes() const {
    return m_columns ? m_columns->intervals.capacity() * sizeof(Interval) +
                           m_columns->before.capacity() * sizeof(Ns)
                     : 0;
}

Ns IntervalSet::measure(Interval range) const {
    return range.end <= range.begin ? 0 : coveredBefore(range.end) - coveredBefore(range.begin);
}

bool operator==(const IntervalSet& a, const IntervalSet& b) {
    return std::ranges::equal(a.m_intervals, b.m_intervals);
}

bool IntervalSet::touches(Interval range) const {
    if (range.end <= range.begin)
        return false;
    const auto next = std::lower_bound(m_intervals.begin(), m_intervals.end(), range.end, ByBegin{});
    return next != m_intervals.begin() && std::prev(next)->end > range.begin;
}

IntervalSet IntervalSet::united(const IntervalSet& other) const {
    IntervalSetMaker maker(size() + other.size());
    auto a = m_intervals.begin();
    auto b = other.m_intervals.begin();
    while (a != m_intervals.end() && b != other.m_intervals.end())
        maker.add(a->begin <= b->begin ? *a++ : *b++);
    std::for_each(a, m_intervals.end(), [&](Interval i) { maker.add(i); });
    std::for_each(b, other.m_intervals.end(), [&](Interval i) { maker.add(i); });
    return maker.take();
}

IntervalSet IntervalSet::intersected(const IntervalSet& other) const {
    IntervalSetMaker maker(size() + other.size());
    auto a = m_intervals.begin();
    auto b = other.m_intervals.begin();
    while (a != m_intervals.end() && b != other.m_intervals.end()) {
        maker.add({std::max(a->begin, b->begin), std::min(a->end, b->end)});
        a->end < b->end ? void(++a) : void(++b);
    }
    return maker.take();
}

IntervalSet IntervalSet::subtracted(const IntervalSet& other) const {
    IntervalSetMaker maker(size() + other.size()); // each hole may cut one in two
    auto hole = other.m_intervals.begin();
    for (Interval rest : m_intervals) {
        while (hole != other.m_intervals.end() && hole->end <= rest.begin)
            ++hole;
        for (auto h = hole; h != other.m_intervals.end() && h->begin < rest.end; ++h) {
            maker.add({rest.begin, std::min(h->begin, rest.end)});
            rest.begin = std::min(h->end, rest.end);
            hole = h; // the last hole looked at may reach into the next interval; those before cannot
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

/// Looks first where the last advance points to, for columns of a view are alike: most answers lie within a
/// few intervals of it, that is in memory just read. Doubling steps then bracket the answer.
std::size_t CoverageCursor::firstFrom(Ns t) const {
    const auto& all = m_set->m_intervals;
    const bool forth = m_looked && t > m_time;
    const std::size_t low = forth ? m_next : 0;
    const std::size_t guess = std::min(low + (forth ? m_advance : 0), all.size());
    std::size_t first = guess, last = guess;
    if (guess < all.size() && all[guess].begin < t)
        for (std::size_t step = 1; last < all.size() && all[last].begin < t; step *= 2) {
            first = last + 1;
            last += step;
        }
    else
        for (std::size_t step = 1; first > low && all[first - 1].begin >= t; step *= 2) {
            last = first - 1;
            first -= std::min(step, first - low);
        }
    const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
    return static_cast<std::size_t>(
        std::lower_bound(at(first), at(std::min(last, all.size())), t, ByBegin{}) - all.begin());
}

Ns CoverageCursor::coveredBefore(Ns t) {
    if (m_looked && t == m_time) // ranges that touch share an end
        return m_covered;
    const std::size_t next = firstFrom(t);
    m_advance = m_looked && next > m_next ? next - m_next : 0;
    m_next = next;
    m_looked = true;
    m_time = t;
    m_covered = m_set->coveredBefore(t, next);
    // A walk over a large set is bound by memory: where the next look will begin is asked for now.
    if (const std::size_t likely = next + m_advance; m_advance > 0 && likely < m_set->m_intervals.size()) {
        __builtin_prefetch(&m_set->m_intervals[likely]);
        __builtin_prefetch(&m_set->m_before[likely / IntervalSet::kEvery]);
    }
    return m_covered;
}

Ns overlapLength(const IntervalSet& first, const IntervalSet& second) {
    Ns length = 0;
    auto a = first.intervals().begin();
    auto b = second.intervals().begin();
    while (a != first.intervals().end() && b != second.intervals().end()) {
        length += std::max<Ns>(0, std::min(a->end, b->end) - std::max(a->begin, b->begin));
        a->end < b->end ? void(++a) : void(++b);
    }
    return length;
}

Ns concurrentLength(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(), ByBegin{});
    // What an interval shares with the union of those that began before it is time with two at once, and the
    // union of these shares is all of it. That union so far ends at `reach`; its gaps lie before `i.begin`.
    std::vector<Interval> shared;
    Ns reach = intervals.empty() ? 0 : intervals.front().begin;
    for (const Interval& i : intervals) {
        if (i.end <= i.begin)
            continue;
        shared.push_back({i.begin, std::min(i.end, reach)}); // empty when it begins after all others ended
        reach = std::max(reach, i.end);
    }
    return IntervalSet::unionOfSorted(shared).total();
}

} // namespace olab
