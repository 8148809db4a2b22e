#include <olab/trace/output_file.h>

#include "descriptor.h"
#include "temporary_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace olab {
namespace {

namespace fs = std::filesystem;
using trace_detail::Descriptor;
using trace_detail::Temporary;

constexpr int kMostLinks = 40; // as the system has it

[[noreturn]] void refuseToWrite(const fs::path& path, const std::string& why, const std::string& hint) {
    throw Error(ErrorKind::Usage, "cannot-write", "Cannot write " + path.string() + ": " + why + ".", hint);
}

[[noreturn]] void refuseToWrite(const fs::path& path, int reason) {
    const std::string why = std::generic_category().message(reason);
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        refuseToWrite(path, why, "Free some space there, or choose another folder.");
    case ENOENT:
    case ENOTDIR:
        if (std::error_code ignored; path.has_parent_path() && !fs::is_directory(path.parent_path(), ignored))
            refuseToWrite(path, "its folder does not exist", "Make the folder, or choose another one.");
        refuseToWrite(path, why, "Choose another folder, or one you may write to.");
    case ENAMETOOLONG:
        refuseToWrite(path, why, "Choose a name of 255 bytes at most.");
    case EWOULDBLOCK:
        refuseToWrite(path, "another process still writes into it",
                      "Wait until that has ended, or choose another name.");
    case ENXIO:
        refuseToWrite(path, "nobody reads it", "Start what reads it first.");
    case EPIPE:
        refuseToWrite(path, "nobody reads it any more", "Keep the reader open until all is written.");
    default:
        refuseToWrite(path, why, "Choose another folder, or one you may write to.");
    }
}

/// The descriptor of this process that the path refers to via links: /dev/stdout links to /proc/self/fd/1.
/// Opening it again would overwrite the file from its start.
std::optional<int> descriptorOf(fs::path path) {
    std::error_code failed;
    for (int i = 0; i < kMostLinks; ++i) {
        const std::string text = path.lexically_normal().string(), own = "/proc/" + std::to_string(getpid());
        for (const std::string& folder : {std::string("/proc/self/fd/"), std::string("/dev/fd/"),
                                          std::string("/proc/thread-self/fd/"), own + "/fd/"}) {
            int number = -1;
            const char* const end = text.data() + text.size();
            if (text.starts_with(folder) && text.size() > folder.size() &&
                std::from_chars(text.data() + folder.size(), end, number).ptr == end)
                return number;
        }
        const fs::path next = fs::read_symlink(path, failed);
        if (failed)
            return std::nullopt;
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return std::nullopt;
}

/// The final destination of the bytes.
struct Target {
    fs::path file;                 ///< after resolving all links
    std::optional<struct stat> is; ///< nothing: to be created
    int stream = -1;               ///< written directly if it is not a regular file
};

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Anyone who may write to a folder can put a link there under a predictable name, and so choose what is
/// replaced. The system protects only folders such as /tmp, and not against a rename over the link's target.
void checkLink(const fs::path& path, const fs::path& link) {
    struct stat is {
    }, folder{};
    if (::lstat(link.c_str(), &is) != 0 || is.st_uid == ::geteuid() || is.st_uid == 0)
        return;
    if (::stat(folderOf(link).c_str(), &folder) != 0 || is.st_uid != folder.st_uid)
        refuseToWrite(path, link.string() + " is a link that another user put there",
                      "Remove it, or choose a folder that only you may write to.");
}

/// Also if the last one points to nothing yet: the target is then created.
fs::path behindLinks(const fs::path& path) {
    fs::path file = path;
    std::error_code failed;
    for (int i = 0; i < kMostLinks; ++i) {
        const fs::path next = fs::read_symlink(file, failed);
        if (failed)
            return file;
        checkLink(path, file);
        file = next.is_absolute() ? next : file.parent_path() / next;
    }
    refuseToWrite(path, ELOOP);
}

void checkReplaceable(const fs::path& path, const fs::path& file, const struct stat& is) {
    if (S_ISDIR(is.st_mode))
        refuseToWrite(path, "it is a folder", "Name a file in it.");
    constexpr mode_t kAnyoneWrites =
        0222; // root could still write, but the permission was removed on purpose
    if ((is.st_mode & kAnyoneWrites) == 0 || ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0)
        refuseToWrite(path, "it is read-only", "Make it writable (chmod u+w), or choose another name.");
}

/// Waits for a reader of the pipe, but not for ever, because that could not be cancelled.
int openStream(const fs::path& file, bool isPipe) {
    constexpr int kTries = 500;
    constexpr useconds_t kPause = 20'000;
    int stream = -1;
    for (int i = 0; i < kTries && stream < 0; ++i) {
        stream = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (stream < 0 && (errno != ENXIO || !isPipe))
            return -1;
        if (stream < 0)
            ::usleep(kPause);
    }
    if (stream < 0)
        errno = ENXIO;
    else
        ::fcntl(stream, F_SETFL, ::fcntl(stream, F_GETFL) & ~O_NONBLOCK);
    return stream;
}

Target targetOf(const fs::path& path, bool opens) {
    Target target{path, {}, -1};
    if (path.empty() || !path.has_filename())
        refuseToWrite(path, "it is no name of a file", "Name a file, such as run.olab.");
    if (const auto own = descriptorOf(path)) {
        target.stream = opens ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0) : *own;
        if (target.stream < 0 || ::fcntl(*own, F_GETFD) < 0)
            refuseToWrite(path, errno);
        return target;
    }
    target.file = behindLinks(path);
    struct stat is {};
    if (::stat(target.file.c_str(), &is) != 0) {
        if (errno != ENOENT)
            refuseToWrite(path, errno);
        return target;
    }
    checkReplaceable(path, target.file, is);
    target.is = is;
    if (!S_ISREG(is.st_mode) && opens) {
        target.stream = openStream(target.file, S_ISFIFO(is.st_mode));
        if (target.stream < 0)
            refuseToWrite(path, errno);
    }
    return target;
}

bool isLocked(int descriptor, int kind) {
    return ::flock(descriptor, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/// Its writer holds its lock alone. Who only looks shares it: two who look at once are no writers.
bool grows(int descriptor) {
    return isLocked(descriptor, LOCK_SH);
}

/// Takes the lock of a file that is about to be replaced. @returns false if it grows
bool take(int descriptor) {
    return !isLocked(descriptor, LOCK_EX) || !grows(descriptor); // a reader may look
}

bool isStream(const Target& target) {
    return target.stream >= 0 || (target.is && !S_ISREG(target.is->st_mode));
}

/// @returns false if only the owner or root may do that
bool takeAfter(int descriptor, const struct stat& old) {
    struct stat now {};
    if (::fstat(descriptor, &now) != 0)
        return false;
    if ((now.st_uid != old.st_uid || now.st_gid != old.st_gid) &&
        ::fchown(descriptor, old.st_uid, old.st_gid) != 0)
        return false;
    return ::fchmod(descriptor, old.st_mode & 07777u) == 0; // after the owner: that clears set-id bits
}

int writeAll(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR)
            return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(done, 0)));
    }
    return 0;
}

/// A folder or file that cannot be synced (some network file systems, pipes) is not an error.
int sync(int descriptor) {
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : errno;
}

void syncFolder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)sync(descriptor);
    ::close(descriptor);
}

} // namespace

struct OutputFile::State {
    State(fs::path given, Kind wanted, const OutputFile* earlier)
        : path(std::move(given))
        , kind(wanted)
        , before(earlier)
        , target(targetOf(path, true)) {}
    ~State() {
        if (target.stream >= 0)
            ::close(target.stream);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    fs::path path;
    Kind kind;
    const OutputFile* before;
    Target target;
    std::optional<Temporary> temporary; ///< none: written directly
    bool inPlace = false;               ///< the temporary is copied into the target, which keeps its inode
    bool committed = false;
    int descriptor() const { return temporary ? temporary->descriptor() : target.stream; }
    void prepare();
    void openInPlace();
    void copyIntoTarget();
    bool isOfBefore(int descriptor) const;
    int takePlace();
};

/// The file that this one follows.
bool OutputFile::State::isOfBefore(int there) const {
    struct stat is {
    }, ours{};
    return before && ::fstat(before->descriptor(), &ours) == 0 && ::fstat(there, &is) == 0 &&
           is.st_dev == ours.st_dev && is.st_ino == ours.st_ino;
}

/// Unless another one grows there: whoever is about to replace a file holds its lock meanwhile.
/// @returns 0 or errno
int OutputFile::State::takePlace() {
    constexpr int kMost = 16; // each time another one was faster
    for (int i = 0; i < kMost; ++i) {
        const Descriptor there(::open(target.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat is {};
        if (there.number() < 0 && errno != ENOENT) // it cannot be asked
            return temporary->renameTo(target.file);
        if (there.number() >= 0 && !isOfBefore(there.number()) && !take(there.number()))
            return EWOULDBLOCK;
        if (there.number() >= 0 && ::fstat(there.number(), &is) == 0 && is.st_nlink > 0)
            return temporary->renameTo(target.file);
        if (const int failed = there.number() < 0 ? temporary->renameToNew(target.file) : EEXIST;
            failed != EEXIST)
            return failed;
    }
    return EWOULDBLOCK;
}

/// A file with several names, or with an owner that cannot be restored, is overwritten in place to keep both.
void OutputFile::State::prepare() {
    if (target.stream >= 0)
        return;
    if (const Descriptor there(target.is ? ::open(target.file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                                         : -1);
        there.number() >= 0 && !isOfBefore(there.number()) && grows(there.number()))
        refuseToWrite(path, EWOULDBLOCK);
    int reason = 0;
    const unsigned mode =
        target.is ? S_IRUSR | S_IWUSR : 0666u; // a replacement for a private file is private, too
    temporary = Temporary::in(folderOf(target.file), mode, kind == Kind::Growing ? LOCK_EX : LOCK_SH, reason);
    if (!temporary)
        refuseToWrite(path, reason);
    if (target.is)
        inPlace = target.is->st_nlink > 1 || !takeAfter(temporary->descriptor(), *target.is);
    if (inPlace && kind == Kind::Growing)
        openInPlace();
}

void OutputFile::State::openInPlace() {
    const int into = ::open(target.file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (into < 0)
        refuseToWrite(path, errno);
    temporary.reset();
    target.stream = into;
    if (!isOfBefore(into) && !take(into)) // which takes the lock, as for a temporary file
        refuseToWrite(path, EWOULDBLOCK);
    if (::ftruncate(into, 0) != 0)
        refuseToWrite(path, errno);
    inPlace = false;
}

void OutputFile::State::copyIntoTarget() {
    const int from = temporary->descriptor();
    const int into = ::open(target.file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
    int reason = into < 0 ? errno : 0;
    std::array<std::byte, 64 * 1024> block{};
    for (off_t at = 0; reason == 0;) {
        const ssize_t got = ::pread(from, block.data(), block.size(), at);
        if (got <= 0) {
            reason = got < 0 ? errno : 0;
            break;
        }
        reason = writeAll(into, std::span(block).first(static_cast<std::size_t>(got)));
        at += got;
    }
    if (reason == 0)
        reason = sync(into);
    if (into >= 0)
        ::close(into);
    if (reason != 0)
        refuseToWrite(path, reason);
}

OutputFile::OutputFile(const fs::path& path, Kind kind, const OutputFile* before)
    : m_state(std::make_unique<State>(path, kind, before)) {
    m_state->prepare();
}

OutputFile::~OutputFile() = default;

int OutputFile::descriptor() const {
    return m_state->descriptor();
}

const fs::path& OutputFile::path() const {
    return m_state->path;
}

void OutputFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text.data(), text.size())));
}

void OutputFile::write(std::span<const std::byte> bytes) {
    const int descriptor = m_state->descriptor();
    const off_t before = ::lseek(descriptor, 0, SEEK_CUR);
    const int reason = writeAll(descriptor, bytes);
    if (reason == 0)
        return;
    if (before >= 0 && ::ftruncate(descriptor, before) == 0)
        ::lseek(descriptor, before, SEEK_SET);
    refuseToWrite(m_state->path, reason);
}

void OutputFile::commit() {
    State& s = *m_state;
    if (std::exchange(s.committed, true))
        return;
    const int reason = s.kind == Kind::Whole ? sync(s.descriptor()) : 0;
    if (reason != 0)
        refuseToWrite(s.path, reason);
    if (!s.temporary)
        return;
    if (s.inPlace)
        return s.copyIntoTarget();
    if (const int failed = s.kind == Kind::Growing ? s.takePlace() : s.temporary->renameTo(s.target.file))
        refuseToWrite(s.path, failed);
    if (s.kind == Kind::Whole)
        syncFolder(folderOf(s.target.file));
}

void writeFile(const fs::path& path, std::string_view content) {
    OutputFile file(path);
    file.write(content);
    file.commit();
}

void copyFile(const fs::path& from, const fs::path& to, const RunControl& control) {
    constexpr std::size_t kBlock = 1 << 20;
    std::ifstream source(from, std::ios::binary);
    if (!source)
        throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + from.string() + ".",
                    "Check that it is still there.");
    OutputFile file(to);
    std::string block(kBlock, '\0');
    while (source.read(block.data(), static_cast<std::streamsize>(block.size())) || source.gcount() > 0) {
        control.throwIfCancelled();
        file.write(std::string_view(block).substr(0, static_cast<std::size_t>(source.gcount())));
    }
    file.commit();
}

void checkWritable(const fs::path& path) {
    if (!isStream(targetOf(path, false)))
        const OutputFile file(path);
}

bool isStandardOutput(const fs::path& path) {
    return descriptorOf(path) == STDOUT_FILENO;
}

} // namespace olab
