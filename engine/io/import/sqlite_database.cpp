#include "sqlite_database.h"

#include <algorithm>
#include <ctime>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <sqlite3.h>

namespace olab::imports {
namespace {

namespace fs = std::filesystem;

constexpr int kStepsBetweenLooks = 5'000;
constexpr std::int64_t kFreeTime = 5'000'000'000; // ns of processor time, whatever the size
constexpr std::uint64_t kBytesPerNs = 100;        // and one for each so many bytes: 10 MB/s
constexpr std::int64_t kMostMemory = std::int64_t{512} << 20;

/// How far a file may make SQLite go. Texts of traces are kilobytes; those over the length are skipped by the
/// reader, and told.
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

/// Functions that a view may use: they cost no more than their arguments.
constexpr std::string_view kAllowedFunctions[] = {"coalesce", "ifnull", "nullif", "min", "max", "iif"};

std::int64_t threadTime() {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

constexpr std::string_view kWithoutName = "/proc/self/fd/";

/// SQLite follows no link itself; these are the ones that name a file which has no other name.
int openFollowing(const char* name, int flags, int mode) {
    return ::open(name, std::string_view(name).starts_with(kWithoutName) ? flags & ~O_NOFOLLOW : flags, mode);
}

/// SQLite's own way to files, but for the name, which it would follow to where a link leads: what was
/// unpacked is a file without a name, reached through /proc.
const char* plainNames() {
    static sqlite3_vfs vfs = [] {
        sqlite3_vfs made = *::sqlite3_vfs_find(nullptr);
        made.zName = "olab-plain-names";
        made.pNext = nullptr;
        made.xFullPathname = [](sqlite3_vfs*, const char* name, int size, char* out) {
            const std::string_view text(name);
            if (text.size() >= static_cast<std::size_t>(size))
                return SQLITE_CANTOPEN;
            *std::ranges::copy(text, out).out = '\0';
            return SQLITE_OK;
        };
        made.xSetSystemCall(&made, "open", reinterpret_cast<sqlite3_syscall_ptr>(openFollowing));
        return made;
    }();
    static const int registered = ::sqlite3_vfs_register(&vfs, 0);
    return registered == SQLITE_OK ? vfs.zName : nullptr;
}

/// The file itself where its name is a link: what SQLite left beside it lies there.
fs::path realName(const fs::path& file) {
    std::error_code failed;
    if (file.string().starts_with(kWithoutName))
        return file;
    const fs::path real = fs::canonical(file, failed);
    return failed ? file : real;
}

std::string uriOf(const fs::path& file, bool isImmutable) {
    std::string uri = "file:";
    for (const char c : file.string())
        if (c == '%' || c == '?' || c == '#') {
            constexpr char kDigits[] = "0123456789abcdef";
            uri += {'%', kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]};
        } else
            uri += c;
    return uri + (isImmutable ? "?mode=ro&immutable=1" : "?mode=ro");
}

bool holdsSomething(fs::path beside, const char* ending) {
    std::error_code failed;
    beside += ending;
    const std::uintmax_t size = fs::file_size(beside, failed);
    return !failed && size > 0;
}

/// All rows of a small query of ours, as text.
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

bool sameWord(std::string_view a, std::string_view b) {
    return ::sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(std::min(a.size(), b.size()))) == 0 &&
           a.size() == b.size();
}

/// Its whole numbers are stored as such, and are fractions when they are read.
bool maybeReal(const std::string& type) {
    std::string upper = type;
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return std::ranges::any_of(std::initializer_list<const char*>{"REAL", "FLOA", "DOUB"},
                               [&](const char* word) { return upper.find(word) != upper.npos; });
}

} // namespace

std::string inQuotes(std::string_view name) {
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

bool SqliteTable::has(std::string_view column) const {
    return std::ranges::find(columns, column) != columns.end();
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
        if (readNames())
            return;
        m_damage = lastMessage();
        close();
        open(file, true); // a file that was cut off, or a table whose description is damaged
        if (readNames(); m_names.empty())
            refuse("it is damaged (" + lastMessage() + ")",
                   "Copy it again from where it came from, or export "
                   "it again: nsys export --type sqlite FILE");
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
    const fs::path real = realName(file);
    // Rows that are still in the log are read with it; then, and only then, SQLite must look beside the file.
    const bool hasLog = m_hasLog = holdsSomething(real, "-wal");
    if (holdsSomething(real, "-journal"))
        m_damage = "it was being written when its program ended; what that left beside it was not used";
    constexpr int kFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    if (::sqlite3_open_v2(uriOf(real, !hasLog).c_str(), &m_handle, kFlags, plainNames()) != SQLITE_OK)
        refuse(m_handle ? lastMessage() : "there is no memory left",
               "Check the name and that you may read it.");
    lockDown();
    if (isSalvage)
        ::sqlite3_db_config(m_handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
    else
        ::sqlite3_db_config(m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    const int state = eachRow(m_handle, "SELECT 1 FROM sqlite_master LIMIT 1", [](sqlite3_stmt*) {});
    if (state == SQLITE_BUSY || state == SQLITE_LOCKED)
        refuse("another program is writing it", "Wait until it has ended, or open a copy.");
    if (hasLog && (state == SQLITE_CANTOPEN || (state & 0xff) == SQLITE_READONLY))
        refuse("part of it is in the file " + real.filename().string() +
                   "-wal, which can only be read in a "
                   "folder that may be written to",
               "Copy both files to such a folder and open the copy.");
    if (state == SQLITE_NOTADB)
        refuse("it is no SQLite database, though it begins as one, or it is encrypted",
               "Export it again: nsys export --type sqlite FILE");
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

/// False: damaged; there may be some all the same.
bool SqliteDatabase::readNames() {
    m_names.clear();
    m_views.clear();
    const int state = eachRow(
        m_handle,
        "SELECT name, type FROM sqlite_master WHERE type = 'view' OR (type = 'table' AND rootpage > 0)",
        [this](sqlite3_stmt* row) {
            std::string name = textAt(row, 0);
            if (name.starts_with("sqlite_"))
                return;
            if (textAt(row, 1) == "view")
                m_views.push_back(name);
            m_names.push_back(std::move(name));
        });
    if (state == SQLITE_INTERRUPT)
        throwInterrupted();
    return state == SQLITE_DONE;
}

bool SqliteDatabase::has(std::string_view table) const {
    return std::ranges::find(m_names, table) != m_names.end();
}

std::unique_ptr<SqliteTable> SqliteDatabase::table(std::string_view name, std::string& trouble) {
    trouble.clear();
    if (!has(name))
        return nullptr;
    auto table = std::make_unique<SqliteTable>();
    table->name = name;
    table->isView = std::ranges::find(m_views, name) != m_views.end();
    int keys = 0, described = 0;
    std::string key;
    // cid name type notnull default pk hidden: what is computed is "hidden".
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

void SqliteDatabase::probeRowid(SqliteTable& table) const {
    sqlite3_stmt* statement = nullptr;
    const std::string probe = "SELECT rowid FROM " + inQuotes(table.name) + " LIMIT 1";
    table.hasRowid = !table.isView && !table.has("rowid") &&
                     ::sqlite3_prepare_v2(m_handle, probe.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    ::sqlite3_finalize(statement);
}

/// Where columns are hidden, those of a row are not in the order of the others.
void SqliteDatabase::findRoot(SqliteTable& table, bool hidesColumns) const {
    if (!table.hasRowid || hidesColumns || !isPlain())
        return;
    int found = 0;
    std::int64_t root = 0;
    eachRow(m_handle, "SELECT name, rootpage FROM sqlite_master WHERE type = 'table'",
            [&](sqlite3_stmt* row) {
                if (!sameWord(textAt(row, 0), table.name))
                    return;
                ++found;
                root = ::sqlite3_column_type(row, 1) == SQLITE_INTEGER ? ::sqlite3_column_int64(row, 1) : 0;
            });
    if (found == 1 && root > 1 && root <= std::numeric_limits<std::uint32_t>::max())
        table.root = static_cast<std::uint32_t>(root);
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

int SqliteDatabase::onAccess(void*, int action, const char* a, const char* b, const char*, const char*) {
    const auto is = [](const char* text, std::string_view word) { return text && word == text; };
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        return is(a, "table_xinfo") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return std::ranges::any_of(kAllowedFunctions, [&](std::string_view name) { return is(b, name); })
                   ? SQLITE_OK
                   : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

} // namespace olab::imports
