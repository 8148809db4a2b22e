#include "olab_chunks.h"

#include <olab/trace/container.h>

#include <algorithm>
#include <cstring>

namespace olab::hostile {
namespace {

// As engine/trace/container_format.h has it, written down once more: a test does not ask what it tests.
constexpr char kMagic[] = "\x89OLAB\r\n\x1a";
constexpr char kMarker[] = "\xf7"
                           "chunk\0\x9c";
constexpr std::size_t kHeader = 16, kWord = 4, kName = 8;

std::uint32_t wordAt(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, kWord);
    return value;
}

void putWord(std::span<std::byte> bytes, std::size_t at, std::uint32_t value) {
    std::memcpy(bytes.data() + at, &value, kWord);
}

void append(Bytes& out, const char* name) {
    const auto bytes = std::as_bytes(std::span(name, kName));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

void append(Bytes& out, std::uint32_t value) {
    out.resize(out.size() + kWord);
    putWord(out, out.size() - kWord, value);
}

bool isFirstVersion(std::span<const std::byte> file) {
    return wordAt(file, kName) == 1;
}

/// Numbers of a chunk that its checksum counts: type, length, and the sequence that version 1 lacks.
std::size_t numbersOf(std::span<const std::byte> file) {
    return isFirstVersion(file) ? 2 * kWord : 3 * kWord;
}

/// Calls `take` with the place of each marker that a whole chunk header stands behind.
template <typename Take>
void forEachMarker(std::span<const std::byte> file, Take take) {
    if (file.size() < kHeader)
        return;
    const std::size_t head = kName + numbersOf(file) + kWord;
    const auto marker = std::as_bytes(std::span(kMarker, kName));
    for (std::size_t at = kHeader; at + head <= file.size(); ++at)
        if (std::equal(marker.begin(), marker.end(), file.begin() + static_cast<std::ptrdiff_t>(at)))
            take(at, at + head);
}

} // namespace

std::vector<RawChunk> chunksOf(std::span<const std::byte> file) {
    std::vector<RawChunk> chunks;
    forEachMarker(file, [&](std::size_t at, std::size_t payload) {
        const std::size_t length =
            std::min<std::size_t>(wordAt(file, at + kName + kWord), file.size() - payload);
        const auto bytes = file.subspan(payload, length);
        chunks.push_back({wordAt(file, at + kName), Bytes(bytes.begin(), bytes.end())});
    });
    return chunks;
}

Bytes fileOf(std::span<const RawChunk> chunks) {
    Bytes file;
    append(file, kMagic);
    append(file, kContainerVersion);
    append(file, 0u);
    std::uint32_t sequence = 0;
    for (const RawChunk& chunk : chunks) {
        append(file, kMarker);
        append(file, chunk.type);
        append(file, static_cast<std::uint32_t>(chunk.payload.size()));
        append(file, sequence++);
        append(file, 0u);
        file.insert(file.end(), chunk.payload.begin(), chunk.payload.end());
    }
    mendChecksums(file);
    return file;
}

void mendChecksums(std::span<std::byte> file) {
    if (file.size() < kHeader)
        return;
    putWord(file, kHeader - kWord, isFirstVersion(file) ? 0 : crc32c(file.first(kHeader - kWord)));
    const std::size_t numbers = numbersOf(file);
    forEachMarker(file, [&](std::size_t at, std::size_t payload) {
        const std::size_t length = wordAt(file, at + kName + kWord);
        if (length <= file.size() - payload)
            putWord(file, payload - kWord,
                    crc32c(file.subspan(payload, length), crc32c(file.subspan(at + kName, numbers))));
    });
}

} // namespace olab::hostile
