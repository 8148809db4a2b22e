#include <olab/trace/input_file.h>

#include <olab/trace/error.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace olab {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void noRoom(const fs::path& forWhat, const std::string& what, const std::string& hint) {
    throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + forWhat.string() + ": " + what + ".", hint);
}

} // namespace

ScratchFile::ScratchFile(const fs::path& forWhat)
    : m_forWhat(forWhat) {
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    std::string name = ((failed ? fs::path("/tmp") : folder) / "olab-input-XXXXXX").string();
    m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_descriptor < 0)
        noRoom(forWhat, "no room was found to keep what it holds",
               "Set TMPDIR to a folder you may write to.");
    ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() {
    ::close(m_descriptor);
}

void ScratchFile::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(m_descriptor, bytes.data(), bytes.size());
        if (done < 0 && errno != EINTR)
            noRoom(m_forWhat, "there is no room to keep what it holds",
                   "Make room, or set TMPDIR to a folder that has it.");
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(done, 0)));
    }
}

fs::path ScratchFile::path() const {
    return "/proc/self/fd/" + std::to_string(m_descriptor);
}

namespace {

constexpr std::size_t kHeadBytes = 4096; // enough for every format's signature
constexpr int kSliceMs = 50;             // how long a cancel may go unnoticed
constexpr int kMostWaitMs = 10'000;      // for a writer, as OutputFile waits for a reader

[[noreturn]] void refuseToRead(const fs::path& path, const std::string& why, const std::string& hint) {
    throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + path.string() + ": " + why + ".", hint);
}

[[noreturn]] void refuseToRead(const fs::path& path, int reason) {
    refuseToRead(path, std::generic_category().message(reason), "Check the name and that you may read it.");
}

std::string whatItIs(mode_t mode) {
    return S_ISDIR(mode) ? "it is a folder" : S_ISSOCK(mode) ? "it is a socket" : "it is a device";
}

std::string inWords(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

} // namespace

InputFile::InputFile(const fs::path& path, const RunControl& control)
    : m_path(path)
    , m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    struct stat is {};
    if (m_descriptor < 0 || ::fstat(m_descriptor, &is) != 0)
        refuseToRead(path, errno);
    m_isPipe = S_ISFIFO(is.st_mode);
    if (!m_isPipe)
        m_size = static_cast<std::uint64_t>(is.st_size);
    try {
        if (!m_isPipe && !S_ISREG(is.st_mode))
            refuseToRead(path, whatItIs(is.st_mode),
                         S_ISDIR(is.st_mode) ? "Choose a file in it." : "Name a file.");
        if (m_isPipe && !control.stop.stop_possible()) // the wait for its writer could not be cancelled
            refuseToRead(path, "it is a pipe", "Save what it holds to disk first.");
        readHead(control);
    } catch (...) {
        ::close(m_descriptor);
        throw;
    }
}

InputFile::~InputFile() {
    ::close(m_descriptor);
}

/// Waits for data until cancelled, but only for a limited time for a writer: a pipe without one has no data
/// and no end, one with a silent writer would block. @returns 0 at the end
std::size_t InputFile::readSome(std::span<std::byte> into, const RunControl& control) {
    for (int waited = 0;; waited += kSliceMs) {
        control.throwIfCancelled();
        pollfd watched{m_descriptor, POLLIN, 0};
        m_isWritten |= !m_isPipe || ::poll(&watched, 1, kSliceMs) > 0;
        const ssize_t got = ::read(m_descriptor, into.data(), into.size());
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            refuseToRead(m_path, errno);
        m_isWritten |= got < 0 && errno == EAGAIN;
        if (got > 0 || (got == 0 && m_isWritten))
            return static_cast<std::size_t>(got);
        if (!m_isWritten && waited >= kMostWaitMs)
            refuseToRead(m_path, "nobody writes into this pipe", "Start what writes it first.");
    }
}

void InputFile::readHead(const RunControl& control) {
    m_head.resize(kHeadBytes);
    std::size_t size = 0;
    while (size < kHeadBytes) {
        const std::size_t got = readSome(std::span(m_head).subspan(size), control);
        if (got == 0)
            break;
        size += got;
    }
    m_head.resize(size);
}

std::size_t InputFile::read(std::span<std::byte> into, const RunControl& control) {
    if (m_given == m_head.size())
        return readSome(into, control);
    const auto next = std::span(m_head).subspan(m_given, std::min(into.size(), m_head.size() - m_given));
    std::ranges::copy(next, into.begin());
    m_given += next.size();
    return next.size();
}

fs::path InputFile::whole(std::uint64_t most, const RunControl& control) {
    if (!m_isPipe)
        return m_path;
    if (!m_kept)
        keepRest(most, control);
    return m_kept->path();
}

void InputFile::keepRest(std::uint64_t most, const RunControl& control) {
    m_kept = std::make_unique<ScratchFile>(m_path);
    std::array<std::byte, 64 * 1024> block{};
    std::uint64_t size = m_head.size();
    std::span<const std::byte> next = m_head;
    while (!next.empty()) {
        if (size > most)
            refuseToRead(m_path, "the pipe holds more than " + inWords(most), "Save it to disk first.");
        m_kept->append(next);
        const std::size_t got = readSome(block, control);
        size += got;
        next = std::span(block).first(got);
        control.report(-1, "reading " + m_path.string());
    }
}

std::string readTextFile(const fs::path& path, const RunControl& control, std::uint64_t most) {
    InputFile file(path, control);
    const fs::path source = file.whole(most, control);
    const int descriptor = ::open(source.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        refuseToRead(path, errno);
    std::string text;
    std::array<char, 64 * 1024> block{};
    ssize_t got = 0;
    while (text.size() <= most && (got = ::read(descriptor, block.data(), block.size())) > 0)
        text.append(block.data(), static_cast<std::size_t>(got));
    const int reason = got < 0 ? errno : 0;
    ::close(descriptor);
    if (reason != 0)
        refuseToRead(path, reason);
    if (text.size() > most)
        refuseToRead(path, "it is larger than " + inWords(most), "Name a smaller file.");
    return text;
}

} // namespace olab
