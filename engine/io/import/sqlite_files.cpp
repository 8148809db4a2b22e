#include "sqlite_files.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <span>
#include <vector>

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

namespace {

constexpr std::size_t kLogHead = 32, kFrameHead = 24;
constexpr std::uint32_t kLogMagic = 0x377f0682; // 1 more: checksums of words with the highest byte first

std::uint32_t bigEndian(const unsigned char* at) {
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

/// Two sums that continue from frame to frame.
struct LogSum {
    bool highestFirst = false;
    std::uint32_t a = 0, b = 0;
    void add(std::span<const unsigned char> bytes) {
        const auto word = [&](std::size_t at) {
            const std::uint32_t big = bigEndian(bytes.data() + at);
            return highestFirst ? big : __builtin_bswap32(big);
        };
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            a += word(at) + b;
            b += word(at + 4) + a;
        }
    }
    bool isAt(const unsigned char* at) const { return bigEndian(at) == a && bigEndian(at + 4) == b; }
};

class LogFrames {
public:
    explicit LogFrames(const std::filesystem::path& log)
        : m_file(log, std::ios::binary) {}
    /// False: what follows is unusable.
    bool readHead() {
        std::array<unsigned char, kLogHead> head{};
        const std::uint32_t magic = fill(head) == head.size() ? bigEndian(head.data()) : 0;
        const std::uint32_t size = bigEndian(head.data() + 8);
        if ((magic & ~1u) != kLogMagic || size < 512 || size > 65536 || (size & (size - 1)) != 0)
            return false;
        std::copy_n(head.begin() + 16, m_salt.size(), m_salt.begin());
        m_sum.highestFirst = (magic & 1) != 0;
        m_sum.add(std::span(head).first(24));
        m_frame.resize(kFrameHead + size);
        return m_sum.isAt(head.data() + 24);
    }
    /// False at the end.
    bool next() {
        const std::size_t got = fill(m_frame);
        if (got == 0)
            return false;
        m_isOfThisUse = got >= 16 && std::equal(m_salt.begin(), m_salt.end(), m_frame.begin() + 8);
        if (m_isSound && m_isOfThisUse) {
            m_sum.add(std::span(m_frame).first(8));
            m_sum.add(std::span(m_frame).subspan(kFrameHead));
        }
        m_isSound = m_isSound && m_isOfThisUse && got == m_frame.size() && m_sum.isAt(m_frame.data() + 16);
        return true;
    }
    bool isOfThisUse() const { return m_isOfThisUse; }
    bool endsTransaction() const { return m_isSound && bigEndian(m_frame.data() + 4) != 0; }

private:
    std::size_t fill(std::span<unsigned char> into) {
        m_file.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
        return static_cast<std::size_t>(m_file.gcount());
    }
    std::ifstream m_file;
    std::array<unsigned char, 8> m_salt{}; ///< different each time the file is reused
    std::vector<unsigned char> m_frame;
    LogSum m_sum;
    bool m_isSound = true; ///< valid so far, with all before it
    bool m_isOfThisUse = false;
};

} // namespace

std::string unusedOfLog(const std::filesystem::path& log, const RunControl& control) {
    LogFrames frames(log);
    if (!frames.readHead())
        return "its log is damaged, and nothing of it was read";
    std::uint64_t unused = 0;
    while (frames.next()) {
        control.throwIfCancelled();
        unused = frames.endsTransaction() ? 0 : unused + (frames.isOfThisUse() ? 1 : 0);
    }
    if (unused == 0)
        return {};
    return "the end of its log was not read (" + std::to_string(unused) + (unused == 1 ? " page" : " pages") +
           "): it is damaged, or was never finished";
}

} // namespace olab::io::imports
