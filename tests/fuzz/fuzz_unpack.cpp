// Any bytes as a file that may be packed (gzip, zstd): what comes out piece by piece is what comes out as a
// file, begins with the head, and is bounded.
#include "fuzz.h"

#include <olab/io/source.h>

#include <fstream>

using namespace olab;
using fuzz::require;

namespace {

constexpr io::UnpackLimits kLimits{.most = 4 << 20, .free = 1 << 20, .times = 100};

std::string pieces(const std::filesystem::path& path, bool& isDamaged) {
    const RunControl control;
    io::Source source(path, control, kLimits);
    std::string all;
    std::array<char, 5000> block;
    while (const std::size_t got = source.read(std::as_writable_bytes(std::span(block))))
        all.append(block.data(), got);
    const auto head = source.head();
    require(all.starts_with(std::string_view(reinterpret_cast<const char*>(head.data()), head.size())));
    isDamaged = source.isDamaged();
    return all;
}

std::string whole(const std::filesystem::path& path, bool& isDamaged) {
    const RunControl control;
    io::Source source(path, control, kLimits);
    std::ifstream file(source.file(), std::ios::binary);
    isDamaged = source.isDamaged();
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::bytesOf(data, size));
    std::string first, second;
    bool firstDamaged = false, secondDamaged = false;
    const bool isRead = fuzz::accepted([&] { first = pieces(file.path(), firstDamaged); });
    const bool isWhole = fuzz::accepted([&] { second = whole(file.path(), secondDamaged); });
    require(isRead == isWhole && first == second && firstDamaged == secondDamaged);
    require(first.size() <= kLimits.most);
    return 0;
}
