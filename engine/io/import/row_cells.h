// The cells of one row of a table, for the requested columns in their order. Filled by SqliteRows or
// PageRows; nothing that is not a number is treated as one. Private to io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab::io::imports {

class RowCells {
public:
    static constexpr std::size_t kMost = 24; ///< columns
    enum class Kind : std::uint8_t { Null, Integer, Fraction, Text, Bytes };
    struct Cell {
        std::int64_t number = 0;    ///< SQLite's conversion if it is not a number, unless unsure
        const char* data = nullptr; ///< of Text and Bytes; no longer than the row
        std::uint32_t size = 0;
        Kind kind = Kind::Null;
        bool isUnsure = false;
    };

    Cell& operator[](std::size_t column) { return m_cells[column]; }

    bool isNull(int column) const { return at(column).kind == Kind::Null; }
    /// A real integer only: texts and fractions do not count.
    std::optional<std::int64_t> integer(int column) const {
        const Cell& cell = at(column);
        return cell.kind == Kind::Integer ? std::optional(cell.number) : std::nullopt;
    }
    /// The same for less important values: 0 if it is not a number.
    std::int64_t roughly(int column) const {
        const Cell& cell = at(column);
        m_wasUnsure = m_wasUnsure || cell.isUnsure;
        return cell.number;
    }
    /// The same, but `otherwise` if it is NULL.
    std::int64_t roughlyOr(int column, std::int64_t otherwise) const {
        return isNull(column) ? otherwise : roughly(column);
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

    /// A requested number needs SQLite's conversion: SQLite has to read the row.
    bool wasUnsure() const { return m_wasUnsure; }

private:
    const Cell& at(int column) const { return m_cells[static_cast<std::size_t>(column)]; }
    std::array<Cell, kMost> m_cells;
    mutable bool m_wasUnsure = false;
};

} // namespace olab::io::imports
