// An .olab file taken apart and put together again with right checksums, whatever its chunks then hold: the
// writer of the program cannot be brought to write most of it. Used to mutate files, with chance or with
// purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace olab::hostile {

using Bytes = std::vector<std::byte>;

struct RawChunk {
    std::uint32_t type = 0;
    Bytes payload;
};

/// What stands behind each marker; a length that goes beyond the file is cut.
std::vector<RawChunk> chunksOf(std::span<const std::byte> file);
/// Of the present version: chunks are numbered anew, all checksums are right.
Bytes fileOf(std::span<const RawChunk> chunks);
/// Puts all checksums right, and changes nothing else.
void mendChecksums(std::span<std::byte> file);

inline std::string_view textOf(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace olab::hostile
