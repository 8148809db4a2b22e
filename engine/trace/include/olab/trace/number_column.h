// Indices into a table, 1 byte each if the table has no more than 256 entries, 2 if it has no more than
// 65536, else 4. After sizing, every entry must be set. Any thread may read.
#pragma once

#include <olab/trace/column.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace olab {

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

} // namespace olab
