// The cells of one row of a table, for the requested columns in their order. Filled by SqliteRows or
// PageRows; nothing that is not a number is treated as one, and none is guessed. Private to io.
#pragma once

#include "sqlite_database.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

// The rows of one table, with the requested columns: those that the table lacks, or without a name, are
// missing. A row with a text over the maximum length is left out and counted. If the file is damaged, what
// follows the damage is still read, as far as row numbers allow it. Reading to the end of a table includes a
// look at all its pages: SQLite itself ends, without a word, where row numbers are out of order, and does not
// miss the rows of cells that a damaged page no longer counts.

/// Row numbers, inclusive.
struct RowRange {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
};
/// The first and the last row number; empty: no rows, or the table has no numbers.
std::optional<RowRange> rowRangeOf(SqliteDatabase& database, const SqliteTable& table);

/// What is wrong with the pages of a table, as far as the whole file is not known to be damaged; empty:
/// nothing.
std::string damageOfPages(SqliteDatabase& database, const SqliteTable& table);

class SqliteRows {
public:
    SqliteRows(SqliteDatabase& database, const SqliteTable& table, std::span<const std::string_view> columns,
               RowRange range = {});
    ~SqliteRows();
    SqliteRows(const SqliteRows&) = delete;
    SqliteRows& operator=(const SqliteRows&) = delete;

    /// False at the end. @throws Error when cancelled
    bool next();
    /// Number of rows with texts over the maximum length.
    std::uint64_t tooLong() const { return m_tooLong; }
    /// Why some rows may be missing; empty: no problem.
    const std::string& damage() const { return m_damage; }

    /// Number of the current row, or of the last one; only for tables with row numbers.
    std::int64_t row() const { return m_at; }
    /// Of the current row.
    const RowCells& cells() const { return m_cells; }

private:
    void select(RowRange range);
    void fill();
    bool goOn(int state);
    bool isInOrder();
    bool skipTooLong();
    bool skipDamage();
    SqliteDatabase& m_database;
    const SqliteTable& m_table;
    std::vector<std::size_t> m_places; ///< of the columns that the table has, among the requested ones
    std::string m_sql;
    sqlite3_stmt* m_statement = nullptr;
    std::int64_t m_at, m_last;
    std::int64_t m_least; ///< that the next row can have
    bool m_begun = false;
    std::int64_t m_leap = 1;
    std::uint64_t m_tooLong = 0;
    std::string m_damage;
    RowCells m_cells;
};

} // namespace olab::io::imports
