// A SQLite database that somebody else wrote, opened to be read and nothing else. What is in it is not
// trusted: it runs no code of its own (no functions, recursion, triggers, virtual tables), texts, expressions
// and memory are bounded, and so is the processor time that it may take for its size. Nothing is written,
// neither to the file nor beside it: a log that its writer left there (FILE-wal) is read with it, and no
// index of that is shared with anybody. Private to io.
//
// One thread at a time; several may have the same file open. All of it throws Error "cancelled" when the
// RunControl says so.
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

namespace olab::imports {

struct SqliteTable {
    std::string name;
    bool isView = false;
    bool hasRowid = false;            ///< a view has none, a table WITHOUT ROWID neither
    std::string rowidColumn;          ///< that is the row's number itself ("id"); empty: none is
    std::vector<std::string> columns; ///< those that hold something, not what is computed
    std::uint32_t root = 0;           ///< page where its rows are; 0: SQLite alone can read them
    std::vector<bool> isAsStored;     ///< a column: what it gives is what stands in the row, nothing else
    bool has(std::string_view column) const;
};

/// A name of a table or column, for a statement.
std::string inQuotes(std::string_view name);

class SqliteDatabase {
public:
    /// Where all files of this kind begin with it.
    static constexpr std::string_view kMagic{"SQLite format 3\0", 16};

    static bool sniff(std::span<const std::byte> head) {
        return std::string_view(reinterpret_cast<const char*>(head.data()), head.size()).starts_with(kMagic);
    }

    /// `shownAs`: as a person named it, for messages. @throws Error "cannot-read"
    SqliteDatabase(const std::filesystem::path& file, const std::filesystem::path& shownAs,
                   const RunControl& control);
    ~SqliteDatabase();
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    /// Names of all tables and views, of those too that cannot be read; not of what is SQLite's own.
    const std::vector<std::string>& names() const { return m_names; }
    bool has(std::string_view table) const;
    /// Null where there is none, or where it cannot be read: then `trouble` says why. Of tables that stand on
    /// one page the first that was asked for is the one that can be read.
    std::unique_ptr<SqliteTable> table(std::string_view name, std::string& trouble);
    /// What was wrong with the file as a whole, though it could be opened: "it ends too early"; also that
    /// somebody changed it until now. Empty: nothing.
    std::string damage() const;
    std::uint64_t bytes() const { return m_bytes; }
    /// All there is stands in the file alone, and nothing was wrong with it yet.
    bool isPlain() const { return m_log.empty() && m_damage.empty(); }

    // For SqliteRows.
    sqlite3* handle() const { return m_handle; }
    std::string lastMessage() const;
    /// Of a step that ended with SQLITE_INTERRUPT. @throws Error when cancelled, or when it took too long
    void throwInterrupted();

private:
    void open(const std::filesystem::path& file, bool isSalvage);
    void salvage(const std::filesystem::path& file);
    void close();
    void lockDown();
    bool readNames();
    void takeName(std::string name, const std::string& type, std::int64_t root, bool isVirtual);
    void tellSharedPages();
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
    std::vector<std::string> m_names, m_views;
    std::map<std::string, std::string> m_unreadable;            ///< by name: why
    std::map<std::int64_t, std::vector<std::string>> m_standOn; ///< tables, by their page
    std::map<std::string, std::int64_t> m_shared;               ///< pages of those that are not alone there
    std::map<std::int64_t, std::string> m_given;                ///< of those, the one that was asked for
    std::string m_damage;
    std::filesystem::path m_file, m_log; ///< the file itself; its log: empty where it has none
    std::string m_stateOfFiles;          ///< when they were opened
    std::uint64_t m_bytes = 0;
    std::int64_t m_spentBefore = 0; ///< processor time of this thread, ns
    bool m_tookTooLong = false;
};

} // namespace olab::imports
