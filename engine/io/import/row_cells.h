// The cells of one row of a table, for the requested columns in their order. Filled by SqliteRows or
// PageRows; nothing that is not a number is treated as one, and none is guessed. Private to io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace olab::io::imports {

class RowCells {
public:
    static constexpr std::size_t kMost = 24;                                          ///< columns
    enum class Kind : std::uint8_t { Missing, Null, Integer, Fraction, Text, Bytes }; ///< Missing: no column
    struct Cell {
        std::int64_t number = 0;    ///< of an Integer
        const char* data = nullptr; ///< of Text and Bytes; no longer than the row
        std::uint32_t size = 0;
        Kind kind = Kind::Missing;
    };

    Cell& operator[](std::size_t column) { return m_cells[column]; }

    bool isNull(int column) const { return at(column).kind <= Kind::Null; }
    /// A real integer only: texts and fractions do not count.
    std::optional<std::int64_t> integer(int column) const {
        const Cell& cell = at(column);
        return cell.kind == Kind::Integer ? std::optional(cell.number) : std::nullopt;
    }
    /// The same, or `otherwise` if it is NULL: anything else makes the row odd.
    std::int64_t number(int column, std::int64_t otherwise = 0) const {
        const Cell& cell = at(column);
        if (cell.kind == Kind::Integer) [[likely]]
            return cell.number;
        m_isOdd = m_isOdd || cell.kind > Kind::Null;
        return otherwise;
    }
    /// Every row has a value in these: NULL makes it odd, unless the table lacks the column.
    template <typename... Columns>
    void needs(Columns... columns) const {
        m_isOdd = m_isOdd || lacks(columns...);
    }
    /// Whether one of these is NULL in a table that has the column.
    template <typename... Columns>
    bool lacks(Columns... columns) const {
        return (... || (at(columns).kind == Kind::Null));
    }
    /// Empty if it is not a text.
    std::string_view text(int column) const {
        const Cell& cell = at(column);
        return cell.kind == Kind::Text ? std::string_view(cell.data, cell.size) : std::string_view();
    }
    std::string_view bytes(int column) const { ///< of a text or a blob
        const Cell& cell = at(column);
        return cell.kind >= Kind::Text ? std::string_view(cell.data, cell.size) : std::string_view();
    }

    /// A value of this row is not a valid number: the row has to be refused.
    void setOdd() const { m_isOdd = true; }
    bool takeOdd() const { return std::exchange(m_isOdd, false); }

private:
    const Cell& at(int column) const { return m_cells[static_cast<std::size_t>(column)]; }
    std::array<Cell, kMost> m_cells;
    mutable bool m_isOdd = false; ///< since the last takeOdd()
};

} // namespace olab::io::imports
