#include "fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace olab::fuzz {
namespace {

namespace fs = std::filesystem;

class Folder {
public:
    Folder() {
        std::string name = fs::temp_directory_path() / "olab-fuzz-XXXXXX";
        require(::mkdtemp(name.data()) != nullptr);
        m_path = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

} // namespace

void require(bool holds, const char* file, int line) {
    if (holds)
        return;
    std::fprintf(stderr, "%s:%d: does not hold\n", file, line);
    std::abort();
}

MemoryFile::MemoryFile(std::span<const std::byte> content)
    : m_descriptor(::memfd_create("olab", 0)) {
    require(::write(m_descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
}

MemoryFile::~MemoryFile() {
    ::close(m_descriptor);
}

fs::path scratchFile(const char* name) {
    static const Folder folder;
    return folder.path() / name;
}

} // namespace olab::fuzz
