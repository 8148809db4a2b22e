#include "sqlite_rows.h"

#include "sqlite_pages.h"

#include <algorithm>
#include <sqlite3.h>

namespace olab::io::imports {
namespace {

constexpr std::int64_t kLongestLeap = std::int64_t{1} << 40; // over damage
constexpr std::uint64_t kLeastBytesOfRow = 4;

/// SQLite reports a damaged page only on first access and then accepts it as it is, even with cells that
/// begin after its end; results must not depend on what was read before.
void forgetPages(SqliteDatabase& database) {
    ::sqlite3_db_release_memory(database.handle());
}

std::optional<std::int64_t> numberOf(SqliteDatabase& database, const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    std::optional<std::int64_t> number;
    if (::sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
        ::sqlite3_step(statement) == SQLITE_ROW)
        number = ::sqlite3_column_int64(statement, 0);
    ::sqlite3_finalize(statement);
    return number;
}

RowCells::Kind kindOf(int type) {
    switch (type) {
    case SQLITE_INTEGER:
        return RowCells::Kind::Integer;
    case SQLITE_FLOAT:
        return RowCells::Kind::Fraction;
    case SQLITE_TEXT:
        return RowCells::Kind::Text;
    case SQLITE_BLOB:
        return RowCells::Kind::Bytes;
    default:
        return RowCells::Kind::Null;
    }
}

} // namespace

std::optional<RowRange> rowRangeOf(SqliteDatabase& database, const SqliteTable& table) {
    if (!table.hasRowid)
        return std::nullopt;
    const std::string from = "SELECT rowid FROM " + inQuotes(table.name) + " ORDER BY rowid ";
    forgetPages(database);
    const auto first = numberOf(database, from + "LIMIT 1"), last = numberOf(database, from + "DESC LIMIT 1");
    if (!first && !last)
        return std::nullopt;
    // If one end is damaged: as far from the other as the file size allows.
    const auto most = static_cast<std::int64_t>(database.bytes() / kLeastBytesOfRow);
    const RowRange all;
    const auto up = [&](std::int64_t low) { return low > all.last - most ? all.last : low + most; };
    const auto down = [&](std::int64_t high) { return high < all.first + most ? all.first : high - most; };
    return RowRange{first ? *first : down(*last), last ? *last : up(*first)};
}

std::string damageOfPages(SqliteDatabase& database, const SqliteTable& table) {
    const PageFile file(database.file(), database);
    const bool areSound =
        table.root != 0 && file.isOpen() ? PageRows(file).areSound(table) : database.findsSound(table);
    return areSound ? std::string() : "its pages are damaged";
}

SqliteRows::SqliteRows(SqliteDatabase& database, const SqliteTable& table,
                       std::span<const std::string_view> columns, RowRange range)
    : m_database(database)
    , m_table(table)
    , m_at(range.first)
    , m_last(range.last)
    , m_least(range.first) {
    m_sql = table.hasRowid ? "SELECT rowid" : "SELECT NULL";
    for (std::size_t i = 0; i < std::min(columns.size(), RowCells::kMost); ++i)
        if (table.has(columns[i])) {
            m_sql += ", " + inQuotes(columns[i]);
            m_places.push_back(i);
        }
    m_sql += " FROM " + inQuotes(table.name);
    if (table.hasRowid)
        m_sql += " WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid";
    if (range.last == RowRange().last)
        m_damage = damageOfPages(database, table);
    select(range);
}

SqliteRows::~SqliteRows() {
    ::sqlite3_finalize(m_statement);
}

void SqliteRows::select(RowRange range) {
    ::sqlite3_finalize(m_statement);
    m_statement = nullptr;
    forgetPages(m_database);
    if (::sqlite3_prepare_v2(m_database.handle(), m_sql.c_str(), -1, &m_statement, nullptr) != SQLITE_OK) {
        m_damage = m_database.lastMessage();
        return;
    }
    if (m_table.hasRowid) {
        ::sqlite3_bind_int64(m_statement, 1, range.first);
        ::sqlite3_bind_int64(m_statement, 2, range.last);
    }
}

bool SqliteRows::next() {
    if (!m_statement)
        return false;
    int state = ::sqlite3_step(m_statement);
    while (state != SQLITE_ROW || !isInOrder()) {
        if (state != SQLITE_ROW && !goOn(state))
            return false;
        state = ::sqlite3_step(m_statement);
    }
    fill();
    return true;
}

/// Checks a row. A misplaced row ends reading: SQLite accepts damaged pages as they are, and rows after it
/// would be repeated endlessly.
bool SqliteRows::isInOrder() {
    if (!m_table.hasRowid)
        return true;
    const std::int64_t row = ::sqlite3_column_int64(m_statement, 0);
    if (row < m_least || row > m_last) {
        m_damage = "rows are not in their order";
        return false;
    }
    m_at = row, m_begun = true, m_leap = 1;
    m_least = row < m_last ? row + 1 : row;
    return true;
}

bool SqliteRows::goOn(int state) {
    if (state == SQLITE_INTERRUPT)
        m_database.throwInterrupted();
    if (state == SQLITE_DONE)
        return false;
    if (state == SQLITE_TOOBIG && m_table.hasRowid)
        return skipTooLong();
    m_damage = m_database.lastMessage();
    const bool isTorn = (state & 0xff) == SQLITE_CORRUPT || (state & 0xff) == SQLITE_IOERR;
    return isTorn && m_table.hasRowid && skipDamage();
}

/// The one after the last row read.
bool SqliteRows::skipTooLong() {
    const std::int64_t from = m_begun ? m_at + 1 : m_at;
    const auto long_ = numberOf(m_database, "SELECT rowid FROM " + inQuotes(m_table.name) +
                                                " WHERE rowid BETWEEN " + std::to_string(from) + " AND " +
                                                std::to_string(m_last) + " ORDER BY rowid LIMIT 1");
    ++m_tooLong;
    if (!long_ || *long_ < from || *long_ >= m_last)
        return false;
    m_at = *long_, m_begun = true;
    m_least = m_at + 1;
    select({m_at + 1, m_last});
    return m_statement != nullptr;
}

/// Skips increasing distances until there is something readable again.
bool SqliteRows::skipDamage() {
    if (!m_begun)
        m_begun = true;
    if (m_leap > kLongestLeap || m_last - m_leap <= m_at)
        return false;
    m_at += m_leap;
    m_leap *= 2;
    m_least = m_at;
    select({m_at, m_last});
    return m_statement != nullptr;
}

void SqliteRows::fill() {
    int column = 0;
    for (const std::size_t place : m_places) {
        RowCells::Cell& cell = m_cells[place];
        // Looked up once and used twice: the lookup is most of the cost.
        sqlite3_value* const value = ::sqlite3_column_value(m_statement, ++column);
        cell.kind = kindOf(::sqlite3_value_type(value));
        cell.number = cell.kind == RowCells::Kind::Integer ? ::sqlite3_value_int64(value) : 0;
        if (cell.kind < RowCells::Kind::Text)
            continue;
        const auto* data = static_cast<const char*>(::sqlite3_column_blob(m_statement, column));
        cell.data = data ? data : "";
        cell.size = data ? static_cast<std::uint32_t>(::sqlite3_column_bytes(m_statement, column)) : 0;
    }
}

} // namespace olab::io::imports
