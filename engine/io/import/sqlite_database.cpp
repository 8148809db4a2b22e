#include "sqlite_database.h"

#include "sqlite_files.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <sqlite3.h>

namespace olab::io::imports {
namespace {

namespace fs = std::filesystem;

constexpr int kStepsBetweenLooks = 5'000;
constexpr std::int64_t kFreeTime = 5'000'000'000; // ns of processor time, whatever the size
constexpr std::uint64_t kBytesPerNs = 100;        // plus one per this many bytes: 10 MB/s
constexpr std::int64_t kMostMemory = std::int64_t{512} << 20;

/// Limits for SQLite. Texts of traces are kilobytes; longer ones are skipped by the reader and reported.
struct Limit {
    int what, most;
};
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 16 << 20},    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    {SQLITE_LIMIT_EXPR_DEPTH, 50},      {SQLITE_LIMIT_COMPOUND_SELECT, 20},
    {SQLITE_LIMIT_VDBE_OP, 100'000},    {SQLITE_LIMIT_FUNCTION_ARG, 8},
    {SQLITE_LIMIT_ATTACHED, 0},         {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 10}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

std::int64_t threadTime() {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// All rows of a small query of our own, as text.
template <typename Take>
int eachRow(sqlite3* handle, const std::string& sql, Take take) {
    sqlite3_stmt* statement = nullptr;
    int result = ::sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = ::sqlite3_step(statement);
        if (result == SQLITE_ROW)
            take(statement);
    }
    ::sqlite3_finalize(statement);
    return result;
}

std::string textAt(sqlite3_stmt* statement, int column) {
    const auto* text = reinterpret_cast<const char*>(::sqlite3_column_text(statement, column));
    return text ? text : "";
}

/// Whole numbers are stored as integers, but read as fractions.
bool maybeReal(const std::string& type) {
    std::string upper = type;
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return std::ranges::any_of(std::initializer_list<const char*>{"REAL", "FLOA", "DOUB"},
                               [&](const char* word) { return upper.find(word) != upper.npos; });
}

} // namespace

bool sameWord(std::string_view a, std::string_view b) {
    return ::sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(std::min(a.size(), b.size()))) == 0 &&
           a.size() == b.size();
}

std::string inQuotes(std::string_view name) {
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

std::size_t SqliteTable::find(std::string_view column) const {
    const auto isIt = [column](const std::string& each) { return !each.empty() && sameWord(each, column); };
    return static_cast<std::size_t>(std::ranges::find_if(columns, isIt) - columns.begin());
}

std::string SqliteTable::expect(std::span<const std::string_view> ofTool,
                                std::span<const std::string_view> always) {
    constexpr std::string_view kAlways[] = {"deviceId", "streamId", "bytes", "copyKind"};
    std::string lacking;
    for (const std::string_view column : ofTool)
        if (has(column))
            leastOfRow = std::max(leastOfRow, find(column) + 1);
        else if (std::ranges::find(kAlways, column) != std::end(kAlways) ||
                 std::ranges::find(always, column) != always.end())
            lacking += (lacking.empty() ? "it lacks columns that every version writes: " : ", ") +
                       std::string(column);
    return lacking;
}

SqliteDatabase::SqliteDatabase(const fs::path& file, const fs::path& shownAs, const RunControl& control)
    : m_shownAs(shownAs)
    , m_control(control)
    , m_spentBefore(threadTime()) {
    ::sqlite3_hard_heap_limit64(kMostMemory);
    std::error_code unknown;
    m_bytes = fs::file_size(file, unknown);
    if (unknown)
        m_bytes = 0;
    try {
        open(file, false);
        if (!readNames())
            salvage(file);
        if (!m_log.empty())
            addDamage(unusedOfLog(m_log, control));
        if (m_damage.empty() && hasPartOfPage(file, m_bytes))
            addDamage("its last page is not whole");
        if (m_damage.empty() && !arePagesSound("sqlite_master"))
            addDamage("the list of its tables is damaged");
        tellSharedPages();
    } catch (...) {
        close();
        throw;
    }
}

SqliteDatabase::~SqliteDatabase() {
    close();
}

void SqliteDatabase::close() {
    ::sqlite3_close(m_handle);
    m_handle = nullptr;
}

void SqliteDatabase::open(const fs::path& file, bool isSalvage) {
    m_file = realName(file);
    // Rows still in the log are read with it; only then may SQLite access files next to the database.
    m_log = logOf(m_file);
    m_stateOfFiles = stateOf(m_file);
    if (!holdsSomething(m_log))
        m_log.clear();
    if (isUnfinished(journalOf(m_file)))
        m_damage = "it was being written when its program ended; its leftover log was not used";
    constexpr int kFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    if (::sqlite3_open_v2(uriOf(m_file, m_log.empty()).c_str(), &m_handle, kFlags, onlyReading()) !=
        SQLITE_OK)
        refuse(m_handle ? lastMessage() : "there is no memory left",
               "Check the name and that you may read it.");
    // The index of the log is then in memory, for this connection only: a shared one would be a file next to
    // it.
    ::sqlite3_exec(m_handle, "PRAGMA locking_mode=EXCLUSIVE", nullptr, nullptr, nullptr);
    lockDown();
    if (isSalvage)
        ::sqlite3_db_config(m_handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
    else
        ::sqlite3_db_config(m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    const int state = eachRow(m_handle, "SELECT 1 FROM sqlite_master LIMIT 1", [](sqlite3_stmt*) {});
    if (!m_log.empty() && (state == SQLITE_CANTOPEN || (state & 0xff) == SQLITE_READONLY))
        refuse("part of it is in the file " + m_log.filename().string() + ", which cannot be read",
               "Check that you may read both, or copy both to another folder and open the copy.");
    if (state == SQLITE_NOTADB)
        refuse("it is no SQLite database, though it begins as one, or it is encrypted",
               "Export it again: nsys export --type sqlite FILE");
}

/// A truncated file, or a table with a damaged description.
void SqliteDatabase::salvage(const fs::path& file) {
    m_damage = lastMessage();
    close();
    open(file, true);
    if (readNames(); m_names.empty())
        refuse("it is damaged (" + lastMessage() + ")",
               "Copy it again from where it came from, or export it again: nsys export --type sqlite FILE");
}

void SqliteDatabase::lockDown() {
    for (const Limit& limit : kLimits)
        ::sqlite3_limit(m_handle, limit.what, limit.most);
    for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                          SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
                          SQLITE_DBCONFIG_DQS_DML})
        ::sqlite3_db_config(m_handle, off, 0, nullptr);
    ::sqlite3_busy_timeout(m_handle, 0);
    ::sqlite3_exec(m_handle, "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON", nullptr, nullptr,
                   nullptr);
    ::sqlite3_set_authorizer(m_handle, onAccess, this);
    ::sqlite3_progress_handler(m_handle, kStepsBetweenLooks, onProgress, this);
}

/// False: damaged; there may still be some.
bool SqliteDatabase::readNames() {
    m_names.clear();
    m_unreadable.clear();
    m_standOn.clear();
    const int state =
        eachRow(m_handle, "SELECT name, type, rootpage, sql FROM sqlite_master", [this](sqlite3_stmt* row) {
            constexpr std::string_view kVirtual = "create virtual";
            takeName(textAt(row, 0), textAt(row, 1), ::sqlite3_column_int64(row, 2),
                     sameWord(textAt(row, 3).substr(0, kVirtual.size()), kVirtual));
        });
    if (state == SQLITE_INTERRUPT)
        throwInterrupted();
    return state == SQLITE_DONE;
}

void SqliteDatabase::takeName(std::string name, const std::string& type, std::int64_t root, bool isVirtual) {
    const bool isView = sameWord(type, "view");
    if (!isView && !sameWord(type, "table"))
        return;
    if (!isView && root > 0)
        m_standOn[root].push_back(name);
    if (name.starts_with("sqlite_"))
        return;
    if (isView)
        m_unreadable[name] = "it is a view: only tables are read";
    else if (isVirtual)
        m_unreadable[name] = "it is virtual: its rows are not in the file, but made by a program";
    else if (root <= 0)
        m_unreadable[name] = "the file does not say where its rows are";
    m_names.push_back(std::move(name));
}

void SqliteDatabase::addDamage(const std::string& what) {
    m_damage += (m_damage.empty() || what.empty() ? "" : "; ") + what;
}

/// The owner of those rows is unknown.
void SqliteDatabase::tellSharedPages() {
    constexpr std::size_t kMostNamed = 8;
    for (const auto& [page, names] : m_standOn) {
        if (names.size() < 2)
            continue;
        std::string said = "tables stand on one page: ";
        for (std::size_t i = 0; i < names.size(); ++i) {
            m_shared.emplace(names[i], page);
            if (i < kMostNamed)
                said += (i > 0 ? ", " : "") + names[i];
        }
        addDamage(said);
    }
    m_standOn.clear();
}

bool SqliteDatabase::has(std::string_view table) const {
    return !nameOf(table).empty();
}

/// As the file spells it; empty: the file has no such table.
std::string SqliteDatabase::nameOf(std::string_view table) const {
    const auto found =
        std::ranges::find_if(m_names, [table](const std::string& name) { return sameWord(name, table); });
    return found == m_names.end() ? std::string() : *found;
}

std::unique_ptr<SqliteTable> SqliteDatabase::table(std::string_view name, std::string& trouble) {
    trouble.clear();
    const std::string inFile = nameOf(name);
    if (inFile.empty())
        return nullptr;
    trouble = whyUnreadable(inFile);
    if (!trouble.empty())
        return nullptr;
    auto table = std::make_unique<SqliteTable>();
    table->name = name;
    int keys = 0, described = 0;
    std::string key;
    // cid name type notnull default pk hidden: computed columns are "hidden".
    const int state = eachRow(m_handle, "PRAGMA table_xinfo(" + inQuotes(name) + ")", [&](sqlite3_stmt* row) {
        ++described;
        if (::sqlite3_column_int(row, 6) != 0)
            return;
        const bool isKey = ::sqlite3_column_int(row, 5) > 0;
        table->columns.push_back(textAt(row, 1));
        table->isAsStored.push_back(!isKey && !maybeReal(textAt(row, 2)));
        if (isKey && ++keys == 1 && sameWord(textAt(row, 2), "INTEGER"))
            key = table->columns.back();
    });
    if (state != SQLITE_DONE) {
        if (state == SQLITE_INTERRUPT)
            throwInterrupted();
        trouble = lastMessage();
        return nullptr;
    }
    probeRowid(*table);
    if (table->hasRowid && keys == 1)
        table->rowidColumn = key;
    findRoot(*table, described != static_cast<int>(table->columns.size()));
    return table;
}

/// Empty: no known problem.
std::string SqliteDatabase::whyUnreadable(const std::string& name) {
    if (const auto known = m_unreadable.find(name); known != m_unreadable.end())
        return known->second;
    const auto shared = m_shared.find(name);
    if (shared == m_shared.end())
        return {};
    const std::string& first = m_given.try_emplace(shared->second, name).first->second;
    return first == name ? std::string() : "its rows are said to be those of " + first;
}

void SqliteDatabase::probeRowid(SqliteTable& table) const {
    sqlite3_stmt* statement = nullptr;
    const std::string probe = "SELECT rowid FROM " + inQuotes(table.name) + " LIMIT 1";
    table.hasRowid = !table.has("rowid") &&
                     ::sqlite3_prepare_v2(m_handle, probe.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    ::sqlite3_finalize(statement);
}

/// With hidden columns, the cells of a row are not in the order of the visible ones.
void SqliteDatabase::findRoot(SqliteTable& table, bool hidesColumns) const {
    if (!table.hasRowid || hidesColumns || !isPlain())
        return;
    int found = 0;
    std::int64_t root = 0;
    eachRow(m_handle, "SELECT name, rootpage FROM sqlite_master WHERE type = 'table' COLLATE NOCASE",
            [&](sqlite3_stmt* row) {
                if (!sameWord(textAt(row, 0), table.name))
                    return;
                ++found;
                root = ::sqlite3_column_type(row, 1) == SQLITE_INTEGER ? ::sqlite3_column_int64(row, 1) : 0;
            });
    if (found == 1 && root > 1 && root <= std::numeric_limits<std::uint32_t>::max())
        table.root = static_cast<std::uint32_t>(root);
}

bool SqliteDatabase::findsSound(const SqliteTable& table) {
    return !m_damage.empty() || arePagesSound(table.name);
}

bool SqliteDatabase::arePagesSound(std::string_view table) {
    bool isSound = true; // other lines than these are about values
    const int state =
        eachRow(m_handle, "PRAGMA quick_check(" + inQuotes(table) + ")",
                [&](sqlite3_stmt* row) { isSound = isSound && !textAt(row, 0).starts_with("***"); });
    if (state == SQLITE_INTERRUPT)
        throwInterrupted();
    return isSound && state == SQLITE_DONE;
}

std::string SqliteDatabase::damage() const {
    if (stateOf(m_file) == m_stateOfFiles)
        return m_damage;
    return m_damage + (m_damage.empty() ? "" : "; ") +
           "another program wrote to it while it was read; wait until that has ended, and open it again";
}

std::string SqliteDatabase::lastMessage() const {
    return ::sqlite3_errmsg(m_handle);
}

void SqliteDatabase::throwInterrupted() {
    m_control.throwIfCancelled();
    refuse(m_tookTooLong ? "what is in it takes far longer to read than a trace of its size"
                         : "reading it was interrupted",
           "Export it again: nsys export --type sqlite FILE");
}

void SqliteDatabase::refuse(const std::string& why, const std::string& hint) const {
    throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + m_shownAs.string() + ": " + why + ".",
                hint);
}

int SqliteDatabase::onProgress(void* self) {
    auto& database = *static_cast<SqliteDatabase*>(self);
    const auto allowed = kFreeTime + static_cast<std::int64_t>(database.m_bytes * kBytesPerNs);
    database.m_tookTooLong = threadTime() - database.m_spentBefore > allowed;
    return database.m_tookTooLong || database.m_control.cancelled();
}

int SqliteDatabase::onAccess(void*, int action, const char* a, const char*, const char*, const char*) {
    const auto is = [](const char* text, std::string_view word) { return text && word == text; };
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        return is(a, "table_xinfo") || is(a, "quick_check") ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

} // namespace olab::io::imports
