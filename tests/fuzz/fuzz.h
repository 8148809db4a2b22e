// What the fuzz targets share. A target ends the program when something does not hold: libFuzzer keeps the
// input, and test.sh tells how to try it again. An Error is an answer; any other exception is a finding.
#pragma once

#include <olab/recording/recording.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace olab::fuzz {

void require(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE());

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}
inline std::span<const std::byte> bytesOf(const std::uint8_t* data, std::size_t size) {
    return std::as_bytes(std::span(data, size));
}

/// A regular file that lives in memory and is named by its descriptor.
class MemoryFile {
public:
    explicit MemoryFile(std::span<const std::byte> content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

/// In a folder of this process under TMPDIR, which goes with it.
std::filesystem::path scratchFile(const char* name);

/// Calls `read`, which may throw an Error that says what to do. @returns whether it did not
template <typename Read>
bool accepted(Read read) {
    try {
        read();
        return true;
    } catch (const Error& error) {
        require(*error.what() != '\0' && !error.code().empty() && !error.hint().empty());
        return false;
    }
}

} // namespace olab::fuzz
