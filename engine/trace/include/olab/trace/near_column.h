// Numbers that are mostly close to their neighbours (rows of a trace in time order, correlations), a little
// over 2 bytes each: groups of 64 are stored as distances from the first if these fit, else 4 bytes each.
// kNoNumber fits everywhere. Filled from front to back by one thread; any thread may read.
#pragma once

#include <olab/trace/column.h>
#include <olab/trace/types.h>

#include <compare>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <ranges>

namespace olab {

/// Consecutive numbers of a NearColumn. As cheap to copy as a span, and valid as long as the column.
class NearNumbers {
public:
    class Iterator;
    using value_type = std::uint32_t;
    NearNumbers() = default;
    std::size_t size() const { return m_count; }
    bool empty() const { return m_count == 0; }
    [[gnu::always_inline]] std::uint32_t operator[](std::size_t i) const {
        const std::size_t at = m_first + i;
        const Group group = m_groups[at / kGroup];
        const std::uint16_t* const numbers = m_numbers + group.place();
        if (group.isWide()) [[unlikely]]
            return wide(numbers, at % kGroup);
        const std::uint16_t number = numbers[at % kGroup];
        return number == kNone ? kNoNumber : group.base + number;
    }
    std::uint32_t front() const { return (*this)[0]; }
    std::uint32_t back() const { return (*this)[m_count - 1]; }
    Iterator begin() const;
    Iterator end() const;
    NearNumbers part(std::size_t first, std::size_t count) const {
        NearNumbers part = *this;
        part.m_first += first, part.m_count = count;
        return part;
    }

private:
    friend class NearColumn;
    static constexpr std::size_t kGroup = 64;
    static constexpr std::uint16_t kNone = 0xffff;
    struct Group {
        std::uint32_t base = 0;         ///< the base of the distances
        std::uint32_t placeAndWide = 0; ///< where its numbers begin, in eights; the highest bit says how
        std::size_t place() const { return std::size_t{placeAndWide & ~kWide} * kEights; }
        bool isWide() const { return (placeAndWide & kWide) != 0; }
        friend bool operator==(const Group&, const Group&) = default;
        static constexpr std::uint32_t kWide = 1u << 31;
        static constexpr std::size_t kEights = 8;
    };
    static std::uint32_t wide(const std::uint16_t* numbers, std::size_t at) {
        std::uint32_t number;
        std::memcpy(&number, numbers + 2 * at, sizeof number);
        return number;
    }
    const Group* m_groups = nullptr;
    const std::uint16_t* m_numbers = nullptr;
    std::size_t m_first = 0, m_count = 0;
};

class NearNumbers::Iterator {
public:
    using value_type = std::uint32_t;
    using reference = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag; // the value is computed on access
    using iterator_concept = std::random_access_iterator_tag;
    Iterator() = default;
    Iterator(const NearNumbers& numbers, std::size_t at)
        : m_numbers(numbers)
        , m_at(static_cast<std::ptrdiff_t>(at)) {}
    std::uint32_t operator*() const { return m_numbers[static_cast<std::size_t>(m_at)]; }
    std::uint32_t operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) {
        Iterator before = *this;
        ++*this;
        return before;
    }
    Iterator operator--(int) {
        Iterator before = *this;
        --*this;
        return before;
    }
    Iterator& operator+=(difference_type n) {
        m_at += n;
        return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    friend Iterator operator+(Iterator at, difference_type n) { return at += n; }
    friend Iterator operator+(difference_type n, Iterator at) { return at += n; }
    friend Iterator operator-(Iterator at, difference_type n) { return at -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.m_at - b.m_at; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_at == b.m_at; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.m_at <=> b.m_at; }

private:
    NearNumbers m_numbers;
    std::ptrdiff_t m_at = 0;
};

inline NearNumbers::Iterator NearNumbers::begin() const {
    return {*this, 0};
}
inline NearNumbers::Iterator NearNumbers::end() const {
    return {*this, m_count};
}

class NearColumn {
public:
    using value_type = std::uint32_t;
    /// Consecutive numbers form groups: when parts of a column are filled in parallel, each part except the
    /// last must have a multiple of this many numbers.
    static constexpr std::size_t kGroup = NearNumbers::kGroup;

    void reserve(std::size_t most);
    [[gnu::always_inline]] void push_back(std::uint32_t number) {
        if (m_size % kGroup == 0)
            openGroup();
        if (!m_hasBase && number != kNoNumber) {
            m_groups.back().base = m_base = number - NearNumbers::kNone / 2;
            m_hasBase = true;
        }
        const std::uint32_t distance = number - m_base;
        if (m_isWide || (distance >= NearNumbers::kNone && number != kNoNumber)) [[unlikely]]
            return pushWide(number);
        m_numbers.push_back(number == kNoNumber ? NearNumbers::kNone : static_cast<std::uint16_t>(distance));
        ++m_size;
    }
    void append(const NearColumn& more); ///< after complete groups
    void fit();                          ///< releases unused memory
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    [[gnu::always_inline]] std::uint32_t operator[](std::size_t i) const { return numbers()[i]; }
    std::uint32_t front() const { return numbers().front(); }
    std::uint32_t back() const { return numbers().back(); }
    NearNumbers::Iterator begin() const { return numbers().begin(); }
    NearNumbers::Iterator end() const { return numbers().end(); }
    NearNumbers numbers() const {
        NearNumbers numbers;
        numbers.m_groups = m_groups.data(), numbers.m_numbers = m_numbers.data();
        numbers.m_count = m_size;
        return numbers;
    }
    std::size_t memoryBytes() const;
    /// Compares the numbers, however they were stored.
    friend bool operator==(const NearColumn&, const NearColumn&) = default;

private:
    void openGroup();
    void pushWide(std::uint32_t number);
    Column<NearNumbers::Group> m_groups;
    Column<std::uint16_t> m_numbers;
    std::size_t m_size = 0;
    // For the last group: it has a number; its base; it is wide.
    bool m_hasBase = false, m_isWide = false;
    std::uint32_t m_base = 0;
};

} // namespace olab

template <>
inline constexpr bool std::ranges::enable_borrowed_range<olab::NearNumbers> = true;
