#include "meeting_folder.h"

#include <olab/trace/error.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = 1 << 20; ///< of a file: a line for each of many thousand ranks

[[noreturn]] void throwNotMade(const fs::path& parent, const std::string& why) {
    throw Error(ErrorKind::Usage, "no-meeting",
                "The ranks cannot meet in " + parent.string() + ": " + why + ".",
                "Record into another folder that the nodes share, or each rank alone: --apart.");
}

bool isOursAlone(int descriptor) {
    struct stat is {};
    return ::fstat(descriptor, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == ::geteuid() &&
           (is.st_mode & 077) == 0;
}

} // namespace

std::optional<MeetingFolder> MeetingFolder::open(const fs::path& path) {
    MeetingFolder folder(path, ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!isOursAlone(folder.m_descriptor))
        return std::nullopt;
    return folder;
}

MeetingFolder MeetingFolder::make(const fs::path& parent, const std::string& prefix) {
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        throwNotMade(parent, std::strerror(errno));
    std::optional<MeetingFolder> made = open(name);
    if (!made)
        throwNotMade(parent, "what is made there belongs to another user");
    return std::move(*made);
}

std::vector<MeetingFolder> MeetingFolder::find(const fs::path& parent, const std::string& prefix) {
    std::vector<MeetingFolder> found;
    std::error_code failed;
    for (fs::directory_iterator at(parent, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().filename().string().starts_with(prefix))
            if (std::optional<MeetingFolder> folder = open(at->path()))
                found.push_back(std::move(*folder));
    return found;
}

MeetingFolder& MeetingFolder::operator=(MeetingFolder&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

MeetingFolder::~MeetingFolder() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void MeetingFolder::put(const std::string& file, const std::string& text) const {
    const std::string before = file + ".new";
    const int into =
        ::openat(m_descriptor, before.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (into < 0)
        return;
    const bool isWhole = ::write(into, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (::close(into) == 0 && isWhole)
        ::renameat(m_descriptor, before.c_str(), m_descriptor, file.c_str());
}

/// A file that is opened is asked for again where another machine keeps it.
int MeetingFolder::opened(const std::string& file) const {
    return ::openat(m_descriptor, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

std::string MeetingFolder::get(const std::string& file) const {
    const int from = opened(file);
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t got = 0;
         from >= 0 && text.size() < kMostText && (got = ::read(from, block.data(), block.size())) > 0;)
        text.append(block.data(), static_cast<std::size_t>(got));
    if (from >= 0)
        ::close(from);
    return text;
}

void MeetingFolder::touch(const std::string& file) const {
    ::utimensat(m_descriptor, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

std::optional<Ns> MeetingFolder::touched(const std::string& file) const {
    struct stat is {};
    const int asked = opened(file);
    const bool isKnown = ::fstat(asked, &is) == 0;
    if (asked >= 0)
        ::close(asked);
    return isKnown ? std::optional(Ns{is.st_mtim.tv_sec} * 1'000'000'000 + is.st_mtim.tv_nsec) : std::nullopt;
}

/// Not by its path, which may be another folder's by now.
void MeetingFolder::remove() const {
    std::error_code failed;
    const fs::path here = "/proc/self/fd/" + std::to_string(m_descriptor);
    std::vector<std::string> names;
    for (fs::directory_iterator at(here, failed), end; !failed && at != end; at.increment(failed))
        names.push_back(at->path().filename().string());
    for (const std::string& name : names)
        ::unlinkat(m_descriptor, name.c_str(), 0);
    ::rmdir(m_path.c_str()); // only one that is empty
}

} // namespace olab::cli
