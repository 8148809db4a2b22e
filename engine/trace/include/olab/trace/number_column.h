// Numbers into a table, of 2 bytes each where the table has no more than 65536 entries, else of 4. Whoever
// sizes one sets every entry. Reading is for any thread.
#pragma once

#include <olab/trace/column.h>

#include <cstdint>

namespace olab {

class NumberColumn {
public:
    /// For numbers below `limit`.
    void resize(std::size_t size, std::size_t limit);
    std::uint32_t operator[](std::size_t i) const { return m_wide.empty() ? m_narrow[i] : m_wide[i]; }
    void set(std::size_t i, std::uint32_t number) {
        if (m_wide.empty())
            m_narrow[i] = static_cast<std::uint16_t>(number);
        else
            m_wide[i] = number;
    }
    /// Once it is known that all are below `limit`: equal numbers are equal columns then.
    void fit(std::size_t limit);
    std::size_t memoryBytes() const;
    friend bool operator==(const NumberColumn&, const NumberColumn&) = default;

private:
    Column<std::uint16_t> m_narrow; ///< one of the two is empty
    Column<std::uint32_t> m_wide;
};

} // namespace olab
