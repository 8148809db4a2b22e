// Rows of a SQLite database, read page by page and by SQLite: what the pages give must be what SQLite gives.
#pragma once

#include "import/sqlite_pages.h"

#include <algorithm>
#include <string>
#include <vector>

namespace olab::test {

struct SameRows {
    std::size_t plain = 0;  ///< stretches of tables that were read page by page
    std::size_t others = 0; ///< those that only SQLite could read
    std::string difference; ///< the first; empty: there is none
};

namespace same_rows_detail {

using namespace io::imports;

/// All that a row says.
inline std::string textOf(io::imports::RowCells cells, std::size_t columns) {
    std::string text;
    for (std::size_t i = 0; i < columns; ++i) {
        const int column = static_cast<int>(i);
        text += std::to_string(static_cast<int>(cells[i].kind)) + ":" + std::to_string(cells.number(column)) +
                "'" + std::string(cells.bytes(column)) + "' ";
    }
    return text;
}

inline void compare(io::imports::SqliteDatabase& database, io::imports::PageRows& pages,
                    const io::imports::SqliteTable& table, io::imports::RowRange range, SameRows& result) {
    std::vector<std::string_view> columns(table.columns.begin(), table.columns.end());
    columns.resize(std::min(columns.size(), io::imports::RowCells::kMost));
    const io::imports::PlainTable plain(table, columns);
    pages.start(plain, range);
    io::imports::SqliteRows rows(database, table, columns, range);
    std::string difference;
    while (pages.next() && difference.empty()) {
        if (!rows.next()) {
            difference = "a row that SQLite does not give";
            break;
        }
        const std::string one = textOf(pages.cells(), columns.size());
        const std::string two = textOf(rows.cells(), columns.size());
        if (one != two)
            difference = one + "| " + two;
    }
    ++(pages.failed() ? result.others : result.plain);
    if (pages.failed() || !result.difference.empty())
        return; // what was read of it counts for nothing
    if (difference.empty() && rows.next())
        difference = "a row that only SQLite gives";
    if (difference.empty() && (rows.tooLong() > 0 || !rows.damage().empty()))
        difference = "only SQLite has a complaint: " + rows.damage();
    if (!difference.empty())
        result.difference = table.name + ": " + difference;
}

} // namespace same_rows_detail

/// All tables of a database, whole and in stretches.
inline SameRows readTwice(io::imports::SqliteDatabase& database, const std::filesystem::path& file) {
    using namespace same_rows_detail;
    SameRows result;
    const io::imports::PageFile plainFile(file, database);
    for (const std::string& name : database.names()) {
        std::string trouble;
        const auto table = database.table(name, trouble);
        if (!table || table->root == 0 || !plainFile.isOpen())
            continue;
        io::imports::PageRows pages(plainFile);
        compare(database, pages, *table, {}, result);
        const auto all = io::imports::rowRangeOf(database, *table);
        if (!all)
            continue;
        const auto span = static_cast<std::uint64_t>(all->last) - static_cast<std::uint64_t>(all->first);
        for (const std::uint64_t parts : {2u, 7u})
            for (std::uint64_t part = 0; part < parts; ++part) {
                const auto at = [&](std::uint64_t of) {
                    return static_cast<std::int64_t>(static_cast<std::uint64_t>(all->first) +
                                                     span / parts * of);
                };
                compare(database, pages, *table, {at(part), at(part + 1)}, result);
            }
    }
    return result;
}

} // namespace olab::test
