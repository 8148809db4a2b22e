// Reads the rows of a table directly from the pages of a SQLite file, in a fraction of the time that SQLite
// takes. Only for plain files: without a log, UTF-8, each row in one page. Anything that deviates from the
// format specification, or is ambiguous, is left to SQLite (SqliteRows), whose rows and errors then count.
// Private to io.
//
// The format: https://www.sqlite.org/fileformat2.html, sections 1.3, 1.6 and 2.1.
#pragma once

#include "sqlite_rows.h"

#include <span>
#include <string_view>
#include <vector>

namespace olab::io::imports {

/// A file with a plain header; any number of threads.
class PageFile {
public:
    /// Closed (isOpen) if it is not plain.
    PageFile(const std::filesystem::path& file, const SqliteDatabase& database);
    ~PageFile();
    PageFile(const PageFile&) = delete;
    PageFile& operator=(const PageFile&) = delete;
    bool isOpen() const { return m_pages > 0; }
    std::uint32_t pageSize() const { return m_pageSize; }
    std::uint32_t usable() const { return m_usable; } ///< bytes of a page
    std::uint32_t pages() const { return m_pages; }
    /// False: not all could be read.
    bool read(std::uint32_t firstPage, std::span<unsigned char> into) const;

private:
    bool readHeader();
    int m_file = -1;
    std::uint64_t m_bytes = 0;
    std::uint32_t m_pageSize = 0, m_usable = 0, m_pages = 0;
};

/// The positions of the requested columns in the rows of a table.
struct PlainTable {
    std::uint32_t root = 0;          ///< 0: some of them cannot be read this way
    std::vector<int> cellOf;         ///< for each column up to the last requested one; -1: not requested
    std::size_t least = 0, most = 0; ///< columns of a row of this table
    static constexpr int kNobody = -1;
    PlainTable() = default;
    PlainTable(const SqliteTable& table, std::span<const std::string_view> columns);
};

/// Reads the tables of a file, for one thread.
class PageRows {
public:
    explicit PageRows(const PageFile& file);
    /// Begins with the first row of `range`. Rows that were read are right, but something that only SQLite
    /// can read may follow: then next() ends and failed() says so.
    void start(const PlainTable& table, RowRange range);
    bool next();
    bool failed() const { return m_failed; }
    /// If it failed because of a row's content: whether all rows of the range are whole and where they
    /// belong, so that they are found from any starting point.
    bool areInOrder();
    /// Whether all pages of the table are as SQLite writes them, with each row where it belongs.
    bool areSound(const SqliteTable& table);
    /// Number of the last row from next().
    std::int64_t row() const { return m_row; }
    const RowCells& cells() const { return m_cells; }

private:
    struct Span { ///< row numbers allowed on a page, inclusive
        std::int64_t least, most;
    };
    struct Child {
        std::uint32_t page;
        Span rows;
    };
    struct Cell {
        std::int64_t row = 0;
        const unsigned char* payload = nullptr;
        std::uint32_t size = 0;
    };
    const unsigned char* pageAt(std::uint32_t number);
    bool descend();
    bool openPage(const Child& child, bool isRoot);
    bool openInner(const unsigned char* page, const Child& child, std::uint32_t cells);
    bool openLeaf(const unsigned char* page, const Child& child, std::uint32_t cells);
    bool isFull(const unsigned char* page, std::uint64_t ofCells) const;
    bool decode(const Cell& cell);
    bool fail() { return m_failed = m_isBroken = true, false; }

    const PageFile& m_file;
    std::vector<unsigned char> m_window; ///< some consecutive pages
    std::uint32_t m_windowFirst = 0, m_windowCount = 0, m_lastPage = 0;
    const PlainTable* m_table = nullptr;
    RowRange m_range;
    struct Level {
        std::vector<Child> children;
        std::size_t next = 0;
    };
    std::vector<Level> m_levels; ///< from the root to the leaf
    std::size_t m_depth = 0;
    std::vector<Cell> m_leaf;
    std::size_t m_at = 0;
    RowCells m_cells;
    std::int64_t m_row = 0;
    bool m_failed = false;
    bool m_isBroken = false; ///< it failed because of a page, not because of a row's content
};

} // namespace olab::io::imports
