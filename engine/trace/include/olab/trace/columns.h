// Columns of millions of numbers. Touching memory in 4 KiB pages for the first time costs several times as
// much as filling it, so large columns request huge pages. resize() leaves numbers uninitialized, since the
// caller fills them.
#pragma once

#include <olab/trace/types.h>

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace olab {

/// Memory for a column; on huge pages if available and worthwhile. @throws std::bad_alloc
void* allocateColumn(std::size_t bytes);
void freeColumn(void* memory, std::size_t bytes) noexcept;

template <typename T>
class ColumnAllocator {
public:
    using value_type = T;
    ColumnAllocator() = default;
    template <typename U>
    explicit(false) ColumnAllocator(const ColumnAllocator<U>&) noexcept {}
    T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T*>(allocateColumn(n * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t n) noexcept { freeColumn(memory, n * sizeof(T)); }
    template <typename U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <typename U, typename... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
    friend bool operator==(const ColumnAllocator&, const ColumnAllocator&) { return true; }
};

template <typename T>
using Column = std::vector<T, ColumnAllocator<T>>;

/// Indices into a table, 1 byte each if the table has no more than 256 entries, 2 if it has no more than
/// 65536, else 4. After sizing, every entry must be set. Any thread may read.
class NumberColumn {
public:
    /// For numbers below `limit`.
    void resize(std::size_t size, std::size_t limit);
    std::uint32_t operator[](std::size_t i) const {
        std::uint32_t number;
        std::memcpy(&number, m_bytes.data() + (i << m_shift), sizeof number);
        return number & m_mask;
    }
    void set(std::size_t i, std::uint32_t number) {
        static_assert(std::endian::native == std::endian::little);
        std::uint8_t* const at = m_bytes.data() + (i << m_shift);
        if (m_shift == 0) // copying a length known only at run time would be a call
            *at = static_cast<std::uint8_t>(number);
        else if (m_shift == 1)
            std::memcpy(at, &number, 2);
        else
            std::memcpy(at, &number, 4);
    }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    /// Resizes to `size` numbers below `limit`; the first `known` are set, the others are zero.
    void widen(std::size_t size, std::size_t known, std::size_t limit);
    /// Call when all are known to be below `limit`: columns with equal numbers then compare equal.
    void fit(std::size_t limit);
    std::size_t memoryBytes() const;
    friend bool operator==(const NumberColumn&, const NumberColumn&) = default;

private:
    Column<std::uint8_t> m_bytes; ///< plus padding, so that four bytes can be read at every number
    std::size_t m_size = 0;
    unsigned m_shift = 0; ///< a number has 2^m_shift bytes
    std::uint32_t m_mask = 0xff;
};

// Numbers that are mostly close to their neighbours (rows of a trace in time order, correlations), a little
// over 2 bytes each: groups of 64 are stored as distances from the first if these fit, else 4 bytes each.
// kNoNumber fits everywhere. Filled from front to back by one thread; any thread may read.

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

namespace olab {

/// Durations (or numbers of bytes), nearly all of which fit in 4 bytes: 4 bytes each, the few others stored
/// separately. After sizing, every entry must be set. Any thread may read.
class LengthColumn {
public:
    void resize(std::size_t size);
    void reserve(std::size_t most) { m_short.reserve(most); }
    std::size_t size() const { return m_short.size(); }
    bool empty() const { return m_short.empty(); }
    Ns operator[](std::size_t i) const { return m_short[i] == kLong ? longAt(i) : m_short[i]; }
    void prefetch(std::size_t i) const { __builtin_prefetch(m_short.data() + i); }
    /// Stores the value if it fits; `false`: keep it and pass it to addLong(), which is not for several
    /// threads.
    bool set(std::size_t i, Ns length) {
        const bool fits = length >= 0 && length < Ns{kLong};
        m_short[i] = fits ? static_cast<std::uint32_t>(length) : kLong;
        return fits;
    }
    void addLong(std::size_t i, Ns length); ///< by ascending i
    /// For one thread, from front to back: no sizing needed.
    void push_back(Ns length) {
        const bool fits = length >= 0 && length < Ns{kLong};
        m_short.push_back(fits ? static_cast<std::uint32_t>(length) : kLong);
        if (!fits) [[unlikely]]
            addLong(m_short.size() - 1, length);
    }
    void append(const LengthColumn& more);
    void fit(); ///< releases unused memory
    std::size_t memoryBytes() const;
    friend bool operator==(const LengthColumn&, const LengthColumn&) = default;

private:
    static constexpr std::uint32_t kLong = 0xffffffffu;
    Ns longAt(std::size_t i) const;
    Column<std::uint32_t> m_short;
    std::vector<std::pair<std::size_t, Ns>> m_long; ///< sorted
};

/// Ascending times (or sums of times), a little over 4 bytes each: stored relative to the first of 64, as
/// LengthColumn stores lengths. Filled from front to back; any thread may read.
class AscendingColumn {
public:
    void reserve(std::size_t most);
    void push_back(Ns time) {
        if (m_since.size() % kGroup == 0)
            m_bases.push_back(time);
        m_since.push_back(since(time, m_bases.size() - 1));
    }
    /// For several threads that each fill whole groups from front to back. After sizing, every entry must be
    /// set.
    void resize(std::size_t size);
    /// As LengthColumn::set(): stores the value if it fits; `false`: keep it for addLong().
    bool set(std::size_t i, Ns time) {
        if (i % kGroup == 0)
            m_bases[i / kGroup] = time;
        return m_since.set(i, since(time, i / kGroup));
    }
    void addLong(std::size_t i, Ns time) { m_since.addLong(i, since(time, i / kGroup)); } ///< by ascending i
    static constexpr std::size_t kGroup = 64;
    std::size_t size() const { return m_since.size(); }
    bool empty() const { return m_since.empty(); }
    [[gnu::always_inline]] Ns operator[](std::size_t i) const {
        return static_cast<Ns>(unsignedOf(m_bases[i / kGroup]) + unsignedOf(m_since[i]));
    }
    void prefetch(std::size_t i) const { m_since.prefetch(i); }
    void fit(); ///< releases unused memory
    std::size_t memoryBytes() const;
    friend bool operator==(const AscendingColumn&, const AscendingColumn&) = default;

private:
    Ns since(Ns time, std::size_t group) const {
        return static_cast<Ns>(unsignedOf(time) - unsignedOf(m_bases[group]));
    }
    /// Correct even if values are further apart than Ns can represent.
    static std::uint64_t unsignedOf(Ns time) { return static_cast<std::uint64_t>(time); }
    Column<Ns> m_bases;
    LengthColumn m_since;
};

} // namespace olab
