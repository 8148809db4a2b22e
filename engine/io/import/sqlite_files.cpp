#include "sqlite_files.h"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>

namespace olab::io::imports {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWithoutName = "/proc/self/fd/";

/// SQLite itself follows no links; these are links to a file without another name. No open waits for the
/// other end of a pipe.
int openFollowing(const char* name, int flags, int mode) {
    const int kept = std::string_view(name).starts_with(kWithoutName) ? flags & ~O_NOFOLLOW : flags;
    return ::open(name, kept | O_NONBLOCK, mode);
}

constexpr std::string_view kJournalEnding = "-journal";

/// Without locks, which would need shared memory files: see SqliteDatabase::open().
const sqlite3_vfs& ownFiles() {
    static const sqlite3_vfs* const found = ::sqlite3_vfs_find("unix-none");
    return found ? *found : *::sqlite3_vfs_find(nullptr);
}

/// Opens only the database and its log, and both read-only, whatever was requested.
int openToRead(sqlite3_vfs* self, sqlite3_filename name, sqlite3_file* file, int flags, int* gave) {
    constexpr int kReadable = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL;
    constexpr int kWrites =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE;
    file->pMethods = nullptr;
    if (!name || (flags & kReadable) == 0)
        return SQLITE_CANTOPEN;
    return ownFiles().xOpen(self, name, file, (flags & ~kWrites) | SQLITE_OPEN_READONLY, gave);
}

int deleteNothing(sqlite3_vfs*, const char*, int) {
    return SQLITE_READONLY;
}

/// A journal would be rolled back, which is writing.
int seesNoJournal(sqlite3_vfs* self, const char* name, int flags, int* is) {
    *is = 0;
    return std::string_view(name).ends_with(kJournalEnding) ? SQLITE_OK
                                                            : ownFiles().xAccess(self, name, flags, is);
}

int keepFileName(sqlite3_vfs*, const char* name, int size, char* out) {
    const std::string_view text(name);
    if (text.size() >= static_cast<std::size_t>(size))
        return SQLITE_CANTOPEN;
    *std::ranges::copy(text, out).out = '\0';
    return SQLITE_OK;
}

fs::path withEnding(fs::path file, std::string_view ending) {
    file += ending;
    return file;
}

/// Identity, size and modification time of the file; empty: it does not exist.
std::string stateOfOne(const fs::path& file) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0)
        return {};
    std::string text;
    for (const auto number : {static_cast<std::int64_t>(facts.st_ino), std::int64_t{facts.st_size},
                              std::int64_t{facts.st_mtim.tv_sec}, std::int64_t{facts.st_mtim.tv_nsec}})
        text += std::to_string(number) + " ";
    return text;
}

} // namespace

const char* onlyReading() {
    static sqlite3_vfs vfs = [] {
        sqlite3_vfs made = ownFiles();
        made.zName = "olab-only-reading";
        made.pNext = nullptr;
        made.xOpen = openToRead;
        made.xDelete = deleteNothing;
        made.xAccess = seesNoJournal;
        made.xFullPathname = keepFileName;
        made.xSetSystemCall(&made, "open", reinterpret_cast<sqlite3_syscall_ptr>(openFollowing));
        return made;
    }();
    static const int registered = ::sqlite3_vfs_register(&vfs, 0);
    return registered == SQLITE_OK ? vfs.zName : nullptr;
}

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

fs::path logOf(const fs::path& database) {
    return withEnding(database, "-wal");
}

fs::path journalOf(const fs::path& database) {
    return withEnding(database, kJournalEnding);
}

bool holdsSomething(const fs::path& file) {
    std::error_code failed; // a pipe or a device has no size
    const std::uintmax_t size = fs::file_size(file, failed);
    return !failed && size > 0;
}

bool isUnfinished(const fs::path& journal) {
    if (!holdsSomething(journal))
        return false;
    std::ifstream file(journal, std::ios::binary);
    char first = 0;
    return !file.get(first) || first != '\0';
}

std::string stateOf(const fs::path& database) {
    const fs::path log = logOf(database);
    return stateOfOne(database) + "| " + (holdsSomething(log) ? stateOfOne(log) : std::string());
}

bool hasPartOfPage(const fs::path& database, std::uintmax_t bytes) {
    constexpr std::streamoff kPageSizeAt = 16; // of the header, two bytes, 1 for 65536
    std::ifstream in(database, std::ios::binary);
    in.seekg(kPageSizeAt);
    const int high = in.get(), low = in.get();
    if (!in)
        return false;
    const std::uintmax_t size = high * 256 + low;
    return size != 0 && bytes % (size == 1 ? 65536 : size) != 0;
}

} // namespace olab::io::imports
