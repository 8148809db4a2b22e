// Measures how much of a set lies in ranges that come in order: a step or two where IntervalSet::measure
// needs a search, with the same result. Keep a reference to the set; one thread.
#pragma once

#include <olab/trace/interval_set.h>

#include <limits>

namespace olab::analysis {

/// For ranges with ascending begins.
class ForwardMeasure {
public:
    ForwardMeasure() = default;
    explicit ForwardMeasure(const IntervalSet& set)
        : m_set(&set)
        , m_all(set.intervals()) {}
    Ns measure(Interval range) {
        if (range.end <= range.begin)
            return 0;
        if (!m_looked)
            start(m_all.firstEndingBehind(range.begin));
        while (m_at < m_all.size() && m_now.end <= range.begin)
            advance();
        if (m_at == m_all.size() || m_now.begin >= range.end)
            return 0;
        Ns covered = std::min(m_now.end, range.end) - std::max(m_now.begin, range.begin);
        Interval at = m_next;
        for (std::size_t i = m_at + 1; i < m_all.size() && at.begin < range.end; ++i) {
            if (i - m_at == kFew) // a long range over many
                return m_set->measure(range);
            covered += std::min(at.end, range.end) - at.begin;
            if (at.end >= range.end || i + 1 == m_all.size())
                break;
            at = m_all[i + 1];
        }
        return covered;
    }

private:
    static constexpr std::size_t kFew = 16;
    Interval read(std::size_t at) const { return at < m_all.size() ? m_all[at] : Interval{}; }
    void start(std::size_t at) {
        m_at = at;
        m_now = read(at), m_next = read(at + 1);
        m_looked = true;
    }
    void advance() {
        ++m_at;
        m_now = m_next;
        m_next = read(m_at + 1);
    }
    const IntervalSet* m_set = nullptr;
    Times m_all;
    std::size_t m_at = 0;   ///< the first interval that ends after the begin of the last range
    Interval m_now, m_next; ///< that interval and the next one: most calls need no other
    bool m_looked = false;
};

/// For ranges with ascending ends.
class BackwardMeasure {
public:
    BackwardMeasure() = default;
    explicit BackwardMeasure(const IntervalSet& set)
        : m_set(&set)
        , m_all(set.intervals()) {}
    Ns measure(Interval range) {
        if (range.end <= range.begin)
            return 0;
        if (!m_looked)
            goTo(m_all.firstFrom(range.end));
        while (m_next < range.end)
            goTo(m_at + 1);
        Ns covered = 0;
        Interval before = m_before;
        for (std::size_t i = m_at; i > 0 && before.end > range.begin; --i) {
            if (m_at - i == kFew)
                return m_set->measure(range);
            covered += std::min(before.end, range.end) - std::max(before.begin, range.begin);
            if (i == 1 || before.begin <= range.begin)
                break;
            before = m_all[i - 2];
        }
        return covered;
    }

private:
    static constexpr std::size_t kFew = 16;
    void goTo(std::size_t at) {
        m_at = at;
        m_before = at > 0 ? m_all[at - 1] : Interval{};
        m_next = at < m_all.size() ? m_all.begin(at) : std::numeric_limits<Ns>::max();
        m_looked = true;
    }
    const IntervalSet* m_set = nullptr;
    Times m_all;
    std::size_t m_at = 0; ///< the first interval that begins at or after the end of the last range
    Interval m_before;    ///< the interval before it: most calls need no other
    Ns m_next = 0;        ///< begin of that interval; the largest time behind the last one
    bool m_looked = false;
};

} // namespace olab::analysis
