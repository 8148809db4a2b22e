// Assigns crossing activities of a lane to sub-lanes: crossing ones never share a sub-lane.
#pragma once

#include <olab/trace/interval_set.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace olab {

/// First-fit sub-lanes: linear search while they are few, else O(log depth) with a tournament tree over the
/// times at which sub-lanes become free.
class SubLanes {
public:
    /// The first sub-lane free at `time.begin`, taken until `time.end`; the last one if none is free.
    /// Activities must be sorted by begin, then end.
    std::uint16_t take(Interval time) {
        if (!m_marked.empty())
            freeMarked(time);
        const std::size_t node = firstFree(time.begin);
        if (node == 0)
            return kMost - 1;
        // A zero-length activity leaves its sub-lane free from its own time on, never earlier. But two at the
        // same time are on the same pixel at every zoom: they do not share one.
        const bool isMark = time.length() == 0 && time.end < std::numeric_limits<Ns>::max();
        set(node, isMark ? time.end + 1 : time.end);
        if (isMark)
            m_marked.push_back(node - m_leaves);
        m_markedAt = time.end;
        return static_cast<std::uint16_t>(node - m_leaves);
    }

private:
    static constexpr std::size_t kMost = 4096; ///< beyond that, activities share the last one
    static constexpr std::size_t kFew = 16;
    /// 0: there is none.
    std::size_t firstFree(Ns t) {
        if (m_leaves == kFew) {
            for (std::size_t node = kFew; node < 2 * kFew; ++node)
                if (m_freeAt[node] <= t)
                    return node;
            grow();
        } else if (m_freeAt[1] > t && !grow())
            return 0;
        std::size_t node = 1;
        while (node < m_leaves)
            node = 2 * node + (m_freeAt[2 * node] > t ? 1 : 0);
        return node;
    }
    /// An activity with a length may begin where a zero-length activity is.
    void freeMarked(Interval time) {
        if (time.begin == m_markedAt && time.length() == 0)
            return;
        if (time.begin == m_markedAt)
            for (const std::size_t leaf : m_marked)
                set(m_leaves + leaf, m_markedAt);
        m_marked.clear();
    }
    void set(std::size_t node, Ns freeAt) {
        m_freeAt[node] = freeAt;
        if (m_leaves == kFew)
            return;
        for (node /= 2; node > 0; node /= 2)
            m_freeAt[node] = std::min(m_freeAt[2 * node], m_freeAt[2 * node + 1]);
    }
    bool grow() {
        if (m_leaves == kMost)
            return false;
        const std::vector<Ns> leaves(m_freeAt.begin() + static_cast<std::ptrdiff_t>(m_leaves),
                                     m_freeAt.end());
        m_leaves *= 2;
        m_freeAt.assign(2 * m_leaves, std::numeric_limits<Ns>::min());
        std::ranges::copy(leaves, m_freeAt.begin() + static_cast<std::ptrdiff_t>(m_leaves));
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            m_freeAt[node] = std::min(m_freeAt[2 * node], m_freeAt[2 * node + 1]);
        return true;
    }

    std::size_t m_leaves = kFew;
    std::vector<Ns> m_freeAt = std::vector<Ns>(2 * kFew, std::numeric_limits<Ns>::min());
    std::vector<std::size_t> m_marked; // sub-lanes that hold something of zero length at m_markedAt
    Ns m_markedAt = 0;
};

} // namespace olab
