#include <olab/trace/scratch_file.h>

#include <olab/trace/error.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

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

} // namespace olab
