// The rows of one table, with the requested columns: those that the table lacks, or without a name, are
// missing. A row with a text over the maximum length is left out and counted. If the file is damaged, what
// follows the damage is still read, as far as row numbers allow it. Reading to the end of a table includes a
// look at all its pages: SQLite itself ends, without a word, where row numbers are out of order, and does not
// miss the rows of cells that a damaged page no longer counts. Private to io.
#pragma once

#include "row_cells.h"
#include "sqlite_database.h"

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace olab::io::imports {

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
