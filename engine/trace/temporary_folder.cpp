#include <olab/trace/temporary_folder.h>

#include <olab/trace/error.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
    constexpr int kTries = 64; // one is lost whenever somebody's sweep comes between its making and its lock
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
