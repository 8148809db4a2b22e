// Begins and ends of items, ordered by begin, in as few bits as each group of 64 needs: the coverage of a
// lane, and the items of a strip. Times are ns. Any thread may read.
#pragma once

#include <olab/trace/columns.h>
#include <olab/trace/types.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace olab {

/// Consecutive items of a TimesColumn. As cheap to copy as a span, and valid as long as the column.
class Times {
public:
    Times() = default;
    Times part(std::size_t first, std::size_t count) const;
    std::size_t size() const { return m_count; }
    bool empty() const { return m_count == 0; }
    [[gnu::always_inline]] Ns begin(std::size_t i) const {
        const std::size_t at = m_first + i;
        return m_groups[at / kGroup].begin(m_words, at % kGroup);
    }
    Ns length(std::size_t i) const {
        const std::size_t at = m_first + i;
        return m_groups[at / kGroup].length(m_words, at % kGroup);
    }
    Ns end(std::size_t i) const { return (*this)[i].end; }
    [[gnu::always_inline]] Interval operator[](std::size_t i) const {
        const std::size_t at = m_first + i;
        const Group group = m_groups[at / kGroup];
        const Ns begin = group.begin(m_words, at % kGroup);
        return {begin, sum(begin, group.length(m_words, at % kGroup))};
    }
    Interval front() const { return (*this)[0]; }
    Interval back() const { return (*this)[m_count - 1]; }
    /// The first one from `first` on, up to `last`, with begin >= t.
    std::size_t firstFrom(Ns t, std::size_t first, std::size_t last) const;
    std::size_t firstFrom(Ns t) const { return firstFrom(t, 0, m_count); }
    /// The first one with begin > t, or size().
    std::size_t firstBehind(Ns t) const;
    /// The same with end >= t and end > t, for items that do not cross.
    std::size_t firstEndingFrom(Ns t) const;
    std::size_t firstEndingBehind(Ns t) const;
    /// Prefetches what is read for `i`.
    void prefetch(std::size_t i) const {
        const std::size_t at = m_first + i;
        const Group& group = m_groups[at / kGroup];
        __builtin_prefetch(m_words + group.place + at % kGroup * group.beginBits / 64);
        __builtin_prefetch(m_words + group.place + group.beginWords + at % kGroup * group.lengthBits / 64);
    }

    static constexpr std::size_t kMostRead = 64;
    /// Reads items from `first` on that are stored together, all before `last`, and returns how many.
    std::size_t read(std::size_t first, std::size_t last, std::array<Interval, kMostRead>& out) const {
        const std::size_t at = m_first + first, from = at % kGroup,
                          count = std::min(last - first, kGroup - from);
        const Group group = m_groups[at / kGroup];
        for (std::size_t i = 0; i < count; ++i) {
            const Ns begin = group.begin(m_words, from + i);
            out[i] = {begin, sum(begin, group.length(m_words, from + i))};
        }
        return count;
    }

    /// Items that lie close together: distances from `base` and lengths in ns, all below 2^30.
    struct Near {
        Ns base;
        std::array<std::int32_t, kMostRead> begins, lengths;
    };
    /// As read(), if they lie close enough; else returns 0.
    std::size_t readNear(std::size_t first, Near& out) const;

private:
    friend class TimesColumn;
    static constexpr std::size_t kGroup = kMostRead;
    /// Times may be further apart than Ns can represent: what wraps around when stored does so again when
    /// read.
    static Ns sum(Ns a, Ns b) {
        return static_cast<Ns>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
    /// A group of 64: begins as distances from the first one, then lengths, in as many bits as the largest
    /// needs.
    struct Group {
        Ns base = 0;
        std::uint32_t place = 0; ///< the index of their first word
        std::uint16_t beginWords = 0;
        std::uint8_t beginBits = 0, lengthBits = 0; ///< 1 to 57, or 64
        Ns begin(const std::uint64_t* words, std::size_t at) const {
            return sum(base, numberAt(words + place, at, beginBits));
        }
        Ns length(const std::uint64_t* words, std::size_t at) const {
            return numberAt(words + place + beginWords, at, lengthBits);
        }
        friend bool operator==(const Group&, const Group&) = default;
    };
    static_assert(sizeof(Group) == 16);
    /// Eight bytes are read from any byte on: they contain 57 bits at any bit offset, or 64 if byte-aligned.
    [[gnu::always_inline]] static Ns numberAt(const std::uint64_t* words, std::size_t at, unsigned bits) {
        static_assert(std::endian::native == std::endian::little);
        const std::size_t bit = at * bits;
        std::uint64_t number;
        std::memcpy(&number, reinterpret_cast<const unsigned char*>(words) + bit / 8, sizeof number);
        return static_cast<Ns>((number >> bit % 8) & (~std::uint64_t{0} >> (64 - bits)));
    }
    template <typename IsBefore>
    std::size_t firstByBegin(std::size_t first, std::size_t last, IsBefore isBefore) const;
    const Group* m_groups = nullptr;
    const std::uint64_t* m_words = nullptr;
    std::size_t m_first = 0, m_count = 0;
};

/// Stores times, mostly in 4 to 6 bytes each. Read only after all were added.
class TimesColumn {
public:
    explicit TimesColumn(std::size_t most = 0);
    void add(Interval time) {
        if (m_open.size() == Times::kGroup)
            close();
        m_open.push_back(time);
    }
    /// Call when all are added: nothing can be read before. Releases unused memory.
    void finish();
    std::size_t size() const { return m_count + m_open.size(); }
    Times times() const {
        Times times;
        times.m_groups = m_groups.data(), times.m_words = m_words.data(), times.m_count = m_count;
        return times;
    }
    std::size_t memoryBytes() const;
    friend bool operator==(const TimesColumn&, const TimesColumn&) = default;

private:
    static constexpr std::size_t kBehind = 4; ///< what reading the last numbers also reads
    void close();
    void put(const std::uint64_t* numbers, std::size_t count, unsigned bits);
    Column<Times::Group> m_groups;
    Column<std::uint64_t> m_words; ///< plus kBehind at the end
    std::size_t m_count = 0;       ///< in groups
    std::vector<Interval> m_open;  ///< of the next group
};

} // namespace olab
