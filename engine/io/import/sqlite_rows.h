// The rows of one table, of the columns that are asked for: those that the table lacks, or without a name,
// are NULL in each. A
// row whose text is longer than any that is read is left out and counted; where the file is damaged, what
// lies behind the damage is read all the same, as far as there are row numbers to go on by. Private to io.
#pragma once

#include "sqlite_database.h"

#include <limits>
#include <optional>
#include <span>
#include <sqlite3.h>

namespace olab::imports {

/// Row numbers, both ends included.
struct RowRange {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
};
/// The first and the last row number there is; empty: no row, or the table has no numbers.
std::optional<RowRange> rowRangeOf(SqliteDatabase& database, const SqliteTable& table);

class SqliteRows {
public:
    SqliteRows(SqliteDatabase& database, const SqliteTable& table, std::span<const std::string_view> columns,
               RowRange range = {});
    ~SqliteRows();
    SqliteRows(const SqliteRows&) = delete;
    SqliteRows& operator=(const SqliteRows&) = delete;

    /// False at the end. @throws Error when cancelled
    bool next();
    /// Rows with texts that are too long to be read.
    std::uint64_t tooLong() const { return m_tooLong; }
    /// Why not all that there may be was read; empty: nothing is wrong.
    const std::string& damage() const { return m_damage; }

    // Of the current row; columns by their place among those that were asked for.
    bool isNull(int column) const { return ::sqlite3_column_type(m_statement, column + 1) == SQLITE_NULL; }
    /// A whole number as such, never what could be taken for one: texts and fractions are none.
    std::optional<std::int64_t> integer(int column) const {
        sqlite3_value* const cell = cellOf(column);
        if (::sqlite3_value_type(cell) != SQLITE_INTEGER)
            return std::nullopt;
        return ::sqlite3_value_int64(cell);
    }
    /// The same where it does not matter much: 0 for what is no number.
    std::int64_t roughly(int column) const { return ::sqlite3_column_int64(m_statement, column + 1); }
    /// The same, but `otherwise` where there is nothing. Fewer looks than integer(): they are most of the
    /// time that reading takes.
    std::int64_t roughlyOr(int column, std::int64_t otherwise) const {
        sqlite3_value* const cell = cellOf(column);
        const std::int64_t value = ::sqlite3_value_int64(cell);
        return value == 0 && ::sqlite3_value_type(cell) == SQLITE_NULL ? otherwise : value;
    }
    /// Empty where it is no text.
    std::string_view text(int column) const;
    std::string_view bytes(int column) const; ///< of a text or a blob

private:
    /// Found once, asked twice: finding it is most of what asking costs. Good on this thread alone, and no
    /// longer than the row.
    sqlite3_value* cellOf(int column) const { return ::sqlite3_column_value(m_statement, column + 1); }
    void select(RowRange range);
    bool goOn(int state);
    bool skipTooLong();
    bool skipDamage();
    SqliteDatabase& m_database;
    const SqliteTable& m_table;
    std::string m_sql;
    sqlite3_stmt* m_statement = nullptr;
    std::int64_t m_at, m_last;
    bool m_begun = false;
    std::int64_t m_leap = 1;
    std::uint64_t m_tooLong = 0, m_rows = 0, m_mostRows;
    std::string m_damage;
};

} // namespace olab::imports
