// An untrusted SQLite database, opened read-only. It cannot run code (no views, functions, triggers,
// virtual tables); texts, expressions and memory are limited, as is processor time relative to its size.
// Nothing is written, neither to the file nor next to it: a log left by its writer (FILE-wal) is read with
// it, and the log's index is not shared. Private to io.
//
// One thread at a time; several may have the same file open. All functions throw Error "cancelled" when the
// RunControl requests it.
#pragma once

#include <olab/trace/run_control.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace olab::io::imports {

struct SqliteTable {
    std::string name;
    bool hasRowid = false;            ///< a table WITHOUT ROWID has none
    std::string rowidColumn;          ///< that is the row number itself ("id"); empty: none
    std::vector<std::string> columns; ///< stored columns, not computed ones
    std::uint32_t root = 0;           ///< page of its rows; 0: only SQLite can read them
    std::vector<bool> isAsStored;     ///< per column: its value is exactly what the row stores
    std::size_t leastOfRow = 0;       ///< columns that every row has: with fewer it is of another table
    /// By its name, in letters of either case as everywhere in SQLite; columns.size(): the table lacks it.
    std::size_t find(std::string_view column) const;
    bool has(std::string_view column) const { return find(column) != columns.size(); }
    /// Those of the tool that wrote the file are in every row; others may have been added later.
    /// @returns which of them are missing, or computed, that every version of the tool stores; empty: none
    /// @param always some of these that only this tool always stores
    std::string expect(std::span<const std::string_view> ofTool,
                       std::span<const std::string_view> always = {});
};

/// Names of tables and columns in SQLite: letters of either case are the same.
bool sameWord(std::string_view a, std::string_view b);

/// A table or column name, quoted for a statement.
std::string inQuotes(std::string_view name);

class SqliteDatabase {
public:
    /// The bytes at the start of all files of this kind.
    static constexpr std::string_view kMagic{"SQLite format 3\0", 16};

    static bool sniff(std::span<const std::byte> head) {
        return std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).starts_with(kMagic);
    }

    /// `shownAs`: the name given by the user, for messages. @throws Error "cannot-read"
    SqliteDatabase(const std::filesystem::path& file, const std::filesystem::path& shownAs,
                   const RunControl& control);
    ~SqliteDatabase();
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    /// Names of all tables, including unreadable ones (views among them), but not SQLite's own.
    const std::vector<std::string>& names() const { return m_names; }
    /// In letters of either case, as is table().
    bool has(std::string_view table) const;
    /// Null if there is none, or it cannot be read: then `trouble` says why. If several tables claim the same
    /// page, the first one requested can be read.
    std::unique_ptr<SqliteTable> table(std::string_view name, std::string& trouble);
    /// Problem of the file as a whole, although it could be opened: "it ends too early"; also that it was
    /// changed meanwhile. Empty: none.
    std::string damage() const;
    std::uint64_t bytes() const { return m_bytes; }
    /// Everything is in the file itself, and no problem was found so far.
    bool isPlain() const { return m_log.empty() && m_damage.empty(); }
    const std::filesystem::path& file() const { return m_file; } ///< itself, if the given name is a link
    /// SQLite's own look at all pages of a table, which takes longer than reading it. True also where
    /// damage() says more of all tables.
    bool findsSound(const SqliteTable& table);

    // For SqliteRows.
    sqlite3* handle() const { return m_handle; }
    std::string lastMessage() const;
    /// For a step that ended with SQLITE_INTERRUPT. @throws Error when cancelled, or if it took too long
    void throwInterrupted();

private:
    void open(const std::filesystem::path& file, bool isSalvage);
    void salvage(const std::filesystem::path& file);
    void close();
    void lockDown();
    bool readNames();
    void takeName(std::string name, const std::string& type, std::int64_t root, bool isVirtual);
    void tellSharedPages();
    bool arePagesSound(std::string_view table);
    std::string nameOf(std::string_view table) const;
    void addDamage(const std::string& what);
    std::string whyUnreadable(const std::string& name);
    void findRoot(SqliteTable& table, bool hidesColumns) const;
    void probeRowid(SqliteTable& table) const;
    [[noreturn]] void refuse(const std::string& why, const std::string& hint) const;
    static int onProgress(void* self);
    static int onAccess(void* self, int action, const char* a, const char* b, const char* database,
                        const char* via);

    std::filesystem::path m_shownAs;
    const RunControl& m_control;
    sqlite3* m_handle = nullptr;
    std::vector<std::string> m_names;
    std::map<std::string, std::string> m_unreadable;            ///< by name: why
    std::map<std::int64_t, std::vector<std::string>> m_standOn; ///< tables, by their page
    std::map<std::string, std::int64_t> m_shared;               ///< pages claimed by several tables
    std::map<std::int64_t, std::string> m_given;                ///< of those, the one requested first
    std::string m_damage;
    std::filesystem::path m_file, m_log; ///< the file itself; its log: empty if it has none
    std::string m_stateOfFiles;          ///< when they were opened
    std::uint64_t m_bytes = 0;
    std::int64_t m_spentBefore = 0; ///< processor time of this thread, ns
    bool m_tookTooLong = false;
};

} // namespace olab::io::imports
