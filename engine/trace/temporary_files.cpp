#include "temporary_files.h"

#include <olab/trace/error.h>
#include <olab/trace/temporary_folder.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

namespace olab::trace_detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".olab-", kSuffix = ".part";
constexpr std::size_t kDigits = 16;

std::string randomName() {
    std::uint64_t number = 0;
    while (::getrandom(&number, sizeof number, 0) != sizeof number) { // waits at most for the first boot
    }
    char digits[kDigits + 1];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
    return std::string(kPrefix) + digits + std::string(kSuffix);
}

bool isOurName(std::string_view name) {
    if (name.size() != kPrefix.size() + kDigits + kSuffix.size() || !name.starts_with(kPrefix) ||
        !name.ends_with(kSuffix))
        return false;
    return std::ranges::all_of(name.substr(kPrefix.size(), kDigits),
                               [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// The lock of a process is released when it ends, however it ends.
bool lock(int descriptor, int kind) {
    return ::flock(descriptor, kind | LOCK_NB) == 0;
}

void removeIfAbandoned(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    struct stat is {};
    if (::fstat(descriptor, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == ::geteuid() &&
        lock(descriptor, LOCK_EX))
        ::unlink(file.c_str());
    ::close(descriptor);
}

void sweep(const fs::path& folder) {
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (isOurName(at->path().filename().string()))
            removeIfAbandoned(at->path());
}

/// Another process's cleanup may have been faster than our lock: then the file is gone.
bool isOurs(int descriptor, int kind) {
    struct stat is {};
    return lock(descriptor, kind) && ::fstat(descriptor, &is) == 0 && is.st_nlink > 0;
}

bool cannotLock(int reason) {
    return reason != EWOULDBLOCK && reason != EINTR; // a file system without locks: no cleanup there
}

} // namespace

std::optional<Temporary> Temporary::in(const fs::path& folder, unsigned mode, int lock, int& reason) {
    constexpr int kMost = 16; // names in use, or removed before they were locked: both very rare
    sweep(folder);
    for (int i = 0; i < kMost; ++i) {
        fs::path file = folder / randomName();
        const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        reason = descriptor < 0 ? errno : 0;
        if (reason != 0 && reason != EEXIST && reason != EINTR)
            return std::nullopt;
        if (descriptor < 0)
            continue;
        errno = 0;
        if (isOurs(descriptor, lock) || (errno != 0 && cannotLock(errno)))
            return Temporary(std::move(file), descriptor);
        ::close(descriptor);
        reason = EBUSY;
    }
    return std::nullopt;
}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
    discard();
    m_path = std::exchange(other.m_path, {});
    m_descriptor = std::exchange(other.m_descriptor, -1);
    return *this;
}

int Temporary::rename(const fs::path& target, unsigned flags) {
    if (::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, target.c_str(), flags) != 0)
        return errno;
    m_path.clear();
    return 0;
}

int Temporary::renameToNew(const fs::path& target) {
    const int failed = rename(target, RENAME_NOREPLACE);
    return failed == EINVAL || failed == ENOSYS ? renameTo(target) : failed; // some file systems cannot
}

void Temporary::discard() {
    if (!m_path.empty())
        ::unlink(m_path.c_str());
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_path.clear();
    m_descriptor = -1;
}

} // namespace olab::trace_detail

namespace olab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolderPrefix = "olab-", kLock = ".lock";
constexpr std::size_t kRandom = 6; // letters that mkdtemp chooses

fs::path parentFolder() {
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    return failed ? fs::path("/tmp") : folder;
}

bool isMine(const fs::path& folder) {
    struct stat is {};
    return ::lstat(folder.c_str(), &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == ::geteuid();
}

void removeFolderIfAbandoned(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (name.size() != kFolderPrefix.size() + kRandom || !name.starts_with(kFolderPrefix) || !isMine(folder))
        return;
    const int lock = ::open((folder / kLock).c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock < 0)
        return; // not ours, or just being created
    std::error_code ignored;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0)
        fs::remove_all(folder, ignored);
    ::close(lock);
}

/// @returns the descriptor that holds the lock, or -1
int lockedIn(const fs::path& folder) {
    const int lock =
        ::open((folder / kLock).c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat is {};
    const bool isTaken = lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock < 0 || (!isTaken && (::fstat(lock, &is) != 0 || is.st_nlink > 0)))
        return lock;
    ::close(lock); // it is being removed, or was, before it was locked
    return -1;
}

} // namespace

fs::path TemporaryFolder::parentOnDisk() {
    const char* chosen = std::getenv("TMPDIR");
    const fs::path usual = "/var/tmp"; // on disk, while /tmp may be in memory
    std::error_code failed;
    return (chosen && *chosen) || !fs::is_directory(usual, failed) ? parentFolder() : usual;
}

void TemporaryFolder::sweep(const fs::path& parent) {
    std::error_code failed;
    for (fs::directory_iterator at(parent.empty() ? parentFolder() : parent, failed), end;
         !failed && at != end; at.increment(failed))
        removeFolderIfAbandoned(at->path());
}

TemporaryFolder::TemporaryFolder()
    : TemporaryFolder(parentFolder()) {}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
    constexpr int kTries = 64; // a try is lost if a sweep comes between creating the folder and locking it
    sweep(parent);
    for (int i = 0; i < kTries && m_lock < 0; ++i) {
        std::string name = (parent / (std::string(kFolderPrefix) + std::string(kRandom, 'X'))).string();
        if (::mkdtemp(name.data()) == nullptr)
            throw Error(ErrorKind::Usage, "no-temp",
                        "Cannot make a folder in " + parent.string() + ": " + std::strerror(errno) + ".",
                        "Set TMPDIR to a folder you may write to.");
        m_path = name;
        m_lock = lockedIn(m_path);
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

} // namespace olab
