// Measures how much of a set lies in ranges that come in order: a step or two where IntervalSet::measure
// takes a search. Each gives the same number as it. Keep a reference to the set; one thread.
#pragma once

#include <olab/trace/interval_set.h>

namespace olab {

/// For ranges whose begins ascend.
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
            seek(range.begin);
        while (m_at < m_all.size() && m_all.end(m_at) <= range.begin)
            ++m_at;
        Ns covered = 0;
        for (std::size_t i = m_at; i < m_all.size() && m_all.begin(i) < range.end; ++i) {
            if (i - m_at == kFew) // a long range over many
                return m_set->measure(range);
            covered += std::min(m_all.end(i), range.end) - std::max(m_all.begin(i), range.begin);
        }
        return covered;
    }

private:
    static constexpr std::size_t kFew = 16;
    void seek(Ns begin) {
        m_at = m_all.firstEndingBehind(begin);
        m_looked = true;
    }
    const IntervalSet* m_set = nullptr;
    Times m_all;
    std::size_t m_at = 0; ///< the first interval that ends behind the last range's begin
    bool m_looked = false;
};

/// For ranges whose ends ascend.
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
            seek(range.end);
        while (m_at < m_all.size() && m_all.begin(m_at) < range.end)
            ++m_at;
        Ns covered = 0;
        for (std::size_t i = m_at; i > 0 && m_all.end(i - 1) > range.begin; --i) {
            if (m_at - i == kFew)
                return m_set->measure(range);
            covered += std::min(m_all.end(i - 1), range.end) - std::max(m_all.begin(i - 1), range.begin);
        }
        return covered;
    }

private:
    static constexpr std::size_t kFew = 16;
    void seek(Ns end) {
        m_at = m_all.firstFrom(end);
        m_looked = true;
    }
    const IntervalSet* m_set = nullptr;
    Times m_all;
    std::size_t m_at = 0; ///< the first interval that begins at the last range's end or later
    bool m_looked = false;
};

} // namespace olab
