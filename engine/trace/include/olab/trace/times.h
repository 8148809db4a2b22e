// Begins and ends of things that do not cross, in a column of 8 bytes each: what a lane is covered by, and
// what a strip shows. Times are ns. Times refers to what it was made of.
#pragma once

#include <olab/trace/column.h>
#include <olab/trace/interval.h>

#include <cstring>
#include <span>

namespace olab {

/// Sorted by begin and by end: two columns, or a TimesColumn.
class Times {
public:
    Times() = default;
    Times(std::span<const Ns> begins, std::span<const Ns> ends)
        : m_begins(begins.data())
        , m_ends(ends.data())
        , m_count(begins.size()) {}
    Times part(std::size_t first, std::size_t count) const;
    std::size_t size() const { return m_count; }
    bool empty() const { return m_count == 0; }
    Ns begin(std::size_t i) const {
        return m_since ? m_bases[(m_first + i) >> kBaseBits] + m_since[m_first + i] : m_begins[i];
    }
    Ns end(std::size_t i) const { return m_since ? begin(i) + m_lengths[m_first + i] : m_ends[i]; }
    Interval operator[](std::size_t i) const { return {begin(i), end(i)}; }
    Interval front() const { return (*this)[0]; }
    Interval back() const { return (*this)[m_count - 1]; }
    /// The first one from `first` on, up to `last`, with begin >= t.
    std::size_t firstFrom(Ns t, std::size_t first, std::size_t last) const;
    std::size_t firstFrom(Ns t) const { return firstFrom(t, 0, m_count); }
    /// The first one with begin > t; with end >= t; with end > t. Size() where there is none.
    std::size_t firstBehind(Ns t) const;
    std::size_t firstEndingFrom(Ns t) const;
    std::size_t firstEndingBehind(Ns t) const;
    /// Asks for what is read of `i`.
    void prefetch(std::size_t i) const {
        if (m_since) {
            __builtin_prefetch(m_since + m_first + i);
            __builtin_prefetch(m_lengths + m_first + i);
        } else {
            __builtin_prefetch(m_begins + i);
            __builtin_prefetch(m_ends + i);
        }
    }

    using Four [[gnu::vector_size(32)]] = std::int64_t;
    /// Four of them at once: `i` + 3 is there.
    void read(std::size_t i, Four& begins, Four& ends) const {
        if (m_since)
            return readNarrow(m_first + i, begins, ends);
        std::memcpy(&begins, m_begins + i, sizeof begins);
        std::memcpy(&ends, m_ends + i, sizeof ends);
    }

private:
    friend class TimesColumn;
    static constexpr unsigned kBaseBits = 6;
    void readNarrow(std::size_t at, Four& begins, Four& ends) const {
        using FourShort [[gnu::vector_size(16)]] = std::uint32_t;
        FourShort since, lengths;
        std::memcpy(&since, m_since + at, sizeof since);
        std::memcpy(&lengths, m_lengths + at, sizeof lengths);
        const Ns base = m_bases[at >> kBaseBits], next = m_bases[(at + 3) >> kBaseBits];
        begins = __builtin_convertvector(since, Four) + base;
        if (next != base) [[unlikely]]
            for (std::size_t k = 0; k < 4; ++k)
                begins[k] = m_bases[(at + k) >> kBaseBits] + m_since[at + k];
        ends = begins + __builtin_convertvector(lengths, Four);
    }
    const Ns* m_begins = nullptr;
    const Ns* m_ends = nullptr;
    std::size_t m_count = 0;
    // Of a TimesColumn instead; null: of none.
    const std::uint32_t* m_since = nullptr;
    const std::uint32_t* m_lengths = nullptr;
    const Ns* m_bases = nullptr;
    std::size_t m_first = 0;
};

/// Keeps times in 8 bytes each: since the begin of the first of 64, and the length, 4 bytes each. Where some
/// do not fit, in 16.
class TimesColumn {
public:
    explicit TimesColumn(std::size_t most = 0);
    void add(Interval time) {
        if (m_wide || !addNarrow(time))
            addWide(time);
    }
    std::size_t size() const { return m_wide ? m_begins.size() : m_since.size(); }
    void fit(); ///< gives back memory that was not needed after all
    Times times() const;
    std::size_t memoryBytes() const;

private:
    bool addNarrow(Interval time) {
        if (m_since.size() % kGroup == 0)
            m_bases.push_back(time.begin);
        const auto since =
                       static_cast<std::uint64_t>(time.begin) - static_cast<std::uint64_t>(m_bases.back()),
                   length = static_cast<std::uint64_t>(time.end) - static_cast<std::uint64_t>(time.begin);
        if ((since | length) >> 32 != 0)
            return false;
        m_since.push_back(static_cast<std::uint32_t>(since));
        m_lengths.push_back(static_cast<std::uint32_t>(length));
        return true;
    }
    void addWide(Interval time);
    static constexpr std::size_t kGroup = std::size_t{1} << Times::kBaseBits;
    std::size_t m_most;
    Column<std::uint32_t> m_since, m_lengths;
    Column<Ns> m_bases;
    bool m_wide = false;
    Column<Ns> m_begins, m_ends;
};

} // namespace olab
