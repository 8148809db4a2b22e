#include <olab/trace/overlap_index.h>

#include <olab/trace/lanes.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace olab {
namespace {

constexpr Ns kNever = std::numeric_limits<Ns>::max();

std::size_t pairAt(std::size_t a, std::size_t b) { // a < b
    return b * (b - 1) / 2 + a;
}

} // namespace

Ns RangeOverlap::overlap(ActivityClass a, ActivityClass b) const {
    const auto [low, high] = std::minmax({static_cast<std::size_t>(a), static_cast<std::size_t>(b)});
    return low == high ? busy[low] : both[pairAt(low, high)];
}

/// Steps from end to end and sums the time of each combination of busy classes.
class OverlapIndex::Sweep {
public:
    Sweep(const OverlapIndex& index, const State& from)
        : m_index(index)
        , m_state(from) {
        for (std::size_t set = 0; set < index.m_sets.size(); ++set) {
            m_working |= (from.passed[set] % 2) << set;
            m_ahead[set].at = kAhead; // nothing read yet
            m_next[set] = read(set);
            m_after[set] = read(set);
        }
    }
    const State& state() const { return m_state; }
    /// Passes up to `most` ends before `limit`; false if there are none.
    bool pass(Ns limit, std::size_t most) {
        static_assert(kDeviceClassCount == 7);
        switch (m_index.m_sets.size()) {
        case 1:
            return passOf<1>(limit, most);
        case 2:
            return passOf<2>(limit, most);
        case 3:
            return passOf<3>(limit, most);
        case 4:
            return passOf<4>(limit, most);
        case 5:
            return passOf<5>(limit, most);
        case 6:
            return passOf<6>(limit, most);
        default:
            return passOf<7>(limit, most);
        }
    }
    void moveTo(Ns t) {
        m_length[m_working] += t - m_state.time;
        m_state.time = t;
    }
    /// The sums since the last call, added to `sums`, and by combination of classes.
    void addTo(RangeOverlap& sums, std::array<Ns, std::size_t{1} << kDeviceClassCount>* exactly = nullptr) {
        for (std::size_t combination = 1; combination < std::size_t{1} << m_index.m_sets.size();
             ++combination)
            if (const Ns length = std::exchange(m_length[combination], 0); length > 0) {
                add(sums, combination, length);
                if (exactly)
                    (*exactly)[classesOf(combination)] += length;
            }
        m_length[0] = 0;
    }

private:
    static constexpr std::size_t kAhead = 32;
    /// Alternating begins and ends of a set, read in blocks.
    struct Ahead {
        std::array<Ns, kAhead> ends;
        std::size_t at = 0,
                    interval = 0; ///< of the next end, and of the interval after the last one available
        bool isOpen = false;
    };

    /// The next set is unpredictable, so the code is branch-free; the value after its end is loaded before it
    /// is known to be needed.
    template <std::size_t sets>
    bool passOf(Ns limit, std::size_t most) {
        std::array<Ns, sets> next;
        std::copy_n(m_next.begin(), sets, next.begin());
        Ns time = m_state.time;
        std::size_t working = m_working, i = 0;
        for (; i < most; ++i) {
            std::size_t first = 0;
            Ns earliest = next[0];
            for (std::size_t set = 1; set < sets; ++set) {
                first = next[set] < earliest ? set : first;
                earliest = std::min(earliest, next[set]);
            }
            if (earliest >= limit)
                break;
            m_length[working] += earliest - time;
            time = earliest;
            working ^= std::size_t{1} << first;
            ++m_state.passed[first];
            for (std::size_t set = 0; set < sets; ++set)
                next[set] = set == first ? m_after[set] : next[set];
            m_after[first] = read(first);
        }
        std::copy_n(next.begin(), sets, m_next.begin());
        m_state.time = time, m_working = working;
        return i > 0 || most == 0;
    }
    /// The next end of a set that was not returned yet.
    [[gnu::always_inline]] Ns read(std::size_t set) {
        Ahead& ahead = m_ahead[set];
        if (ahead.at == kAhead) [[unlikely]]
            fill(set);
        return ahead.ends[ahead.at++];
    }
    void fill(std::size_t set) {
        const Times& intervals = m_index.m_sets[set].second.intervals();
        Ahead& ahead = m_ahead[set];
        const std::size_t passed = m_state.passed[set];
        ahead.interval = ahead.isOpen ? ahead.interval : passed / 2;
        ahead.at = ahead.isOpen ? 0 : passed % 2;
        ahead.isOpen = true;
        for (std::size_t end = 0; end < kAhead; end += 2, ++ahead.interval) {
            const bool isThere = ahead.interval < intervals.size();
            const Interval time = isThere ? intervals[ahead.interval] : Interval{kNever, kNever};
            ahead.ends[end] = time.begin, ahead.ends[end + 1] = time.end;
        }
    }
    ClassMask classesOf(std::size_t combination) const {
        ClassMask classes = 0;
        for (std::size_t set = 0; set < m_index.m_sets.size(); ++set)
            if ((combination >> set & 1) != 0)
                classes |= maskOf(m_index.m_sets[set].first);
        return classes;
    }
    void add(RangeOverlap& sums, std::size_t combination, Ns length) const {
        for (std::size_t b = 0; b < m_index.m_sets.size(); ++b) {
            if ((combination >> b & 1) == 0)
                continue;
            const auto classB = static_cast<std::size_t>(m_index.m_sets[b].first);
            sums.busy[classB] += length;
            for (std::size_t a = 0; a < b; ++a)
                if ((combination >> a & 1) != 0)
                    sums.both[pairAt(static_cast<std::size_t>(m_index.m_sets[a].first), classB)] += length;
        }
    }

    const OverlapIndex& m_index;
    State m_state;
    std::array<Ns, kDeviceClassCount> m_next{}, m_after{}; ///< the next end of each set, and the one after it
    std::array<Ahead, kDeviceClassCount> m_ahead;
    std::size_t m_working = 0; ///< a bit for each set
    std::array<Ns, std::size_t{1} << kDeviceClassCount> m_length{};
};

OverlapIndex::OverlapIndex(const LaneSet& lanes, std::uint8_t device) {
    for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
        const auto cls = static_cast<ActivityClass>(c);
        if (IntervalSet set = lanes.classCoverage(device, cls); !set.empty())
            m_sets.emplace_back(cls, std::move(set));
    }
    State start;
    for (const auto& [cls, set] : m_sets)
        start.time = std::min(start.time, set.intervals().front().begin);
    Sweep sweep(*this, start);
    RangeOverlap sums;
    do {
        sweep.addTo(sums, &m_exactly);
        m_times.push_back(sweep.state().time);
        m_checkpoints.push_back({sweep.state(), sums});
    } while (!m_sets.empty() && sweep.pass(kNever, kEvery));
}

Ns OverlapIndex::both(ClassMask a, ClassMask b) const {
    Ns length = 0;
    for (ClassMask classes = 1; classes < m_exactly.size(); ++classes)
        length += (classes & a) != 0 && (classes & b) != 0 ? m_exactly[classes] : 0;
    return length;
}

RangeOverlap OverlapIndex::before(Ns t) const {
    const auto after = std::ranges::upper_bound(m_times, t);
    if (after == m_times.begin())
        return {};
    const Checkpoint& from = m_checkpoints[static_cast<std::size_t>(after - m_times.begin()) - 1];
    Sweep sweep(*this, from.state);
    if (!m_sets.empty())
        sweep.pass(t, std::numeric_limits<std::size_t>::max());
    sweep.moveTo(t);
    RangeOverlap sums = from.sums;
    sweep.addTo(sums);
    return sums;
}

RangeOverlap OverlapIndex::measure(Interval range) const {
    if (range.end <= range.begin)
        return {};
    RangeOverlap in = before(range.end);
    const RangeOverlap out = before(range.begin);
    for (std::size_t c = 0; c < in.busy.size(); ++c)
        in.busy[c] -= out.busy[c];
    for (std::size_t pair = 0; pair < in.both.size(); ++pair)
        in.both[pair] -= out.both[pair];
    return in;
}

std::size_t OverlapIndex::memoryBytes() const {
    return m_times.capacity() * sizeof(Ns) + m_checkpoints.capacity() * sizeof(Checkpoint);
}

} // namespace olab
