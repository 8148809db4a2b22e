// The cells of one row of a table, of the columns that were asked for, in the order in which they were. Who
// fills them (SqliteRows, PageRows) says what is there; nothing is taken for a number that is none. Private
// to io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab::imports {

class RowCells {
public:
    static constexpr std::size_t kMost = 24; ///< columns
    enum class Kind : std::uint8_t { Null, Integer, Fraction, Text, Bytes };
    struct Cell {
        std::int64_t number = 0;    ///< what SQLite makes of it where it is none, unless it is unsure
        const char* data = nullptr; ///< of Text and Bytes; no longer than the row
        std::uint32_t size = 0;
        Kind kind = Kind::Null;
        bool isUnsure = false;
    };

    Cell& operator[](std::size_t column) { return m_cells[column]; }

    bool isNull(int column) const { return at(column).kind == Kind::Null; }
    /// A whole number as such, never what could be taken for one: texts and fractions are none.
    std::optional<std::int64_t> integer(int column) const {
        const Cell& cell = at(column);
        return cell.kind == Kind::Integer ? std::optional(cell.number) : std::nullopt;
    }
    /// The same where it does not matter much: 0 for what is no number.
    std::int64_t roughly(int column) const {
        const Cell& cell = at(column);
        m_wasUnsure = m_wasUnsure || cell.isUnsure;
        return cell.number;
    }
    /// The same, but `otherwise` where there is nothing.
    std::int64_t roughlyOr(int column, std::int64_t otherwise) const {
        return isNull(column) ? otherwise : roughly(column);
    }
    /// Empty where it is no text.
    std::string_view text(int column) const {
        const Cell& cell = at(column);
        return cell.kind == Kind::Text ? std::string_view(cell.data, cell.size) : std::string_view();
    }
    std::string_view bytes(int column) const { ///< of a text or a blob
        const Cell& cell = at(column);
        return cell.kind >= Kind::Text ? std::string_view(cell.data, cell.size) : std::string_view();
    }

    /// A number was asked for that only SQLite can make of what is there: the row has to be read by it.
    bool wasUnsure() const { return m_wasUnsure; }

private:
    const Cell& at(int column) const { return m_cells[static_cast<std::size_t>(column)]; }
    std::array<Cell, kMost> m_cells;
    mutable bool m_wasUnsure = false;
};

} // namespace olab::imports
