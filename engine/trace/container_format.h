// Unsigned numbers as little-endian bytes, whatever the machine's own order.
#pragma once

#include <olab/trace/container.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace olab::trace_detail {

template <std::unsigned_integral T>
void putLittle(std::vector<std::byte>& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

/// `in` must hold at least sizeof(T) bytes.
template <std::unsigned_integral T>
T getLittle(std::span<const std::byte> in) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = static_cast<T>(value | static_cast<T>(static_cast<T>(in[i]) << (8 * i)));
    return value;
}

} // namespace olab::trace_detail

namespace olab::container_detail {

// The bytes of an .olab file that writer and reader must agree on.
//
// Header: {magic[8], u32 version, u32 check}. Version 1: check = 0. Later: CRC32C of the 12 bytes before it,
// also in future versions, which distinguishes a newer file from a damaged number. Chunk: {marker[8], u32
// type, u32 length, u32 sequence, u32 CRC32C of type, length, sequence and payload, payload}. Version 1 has
// no sequence. The marker lets a reader find the next chunk after damage in one pass. The sequence counts
// chunks from 0: swapped, repeated or removed chunks have a correct checksum and are detected only by it. The
// last chunk has type kEndChunk and is empty: a file without it is incomplete.

template <std::size_t N>
constexpr std::array<std::byte, N> bytesOf(const unsigned char (&values)[N]) {
    std::array<std::byte, N> bytes{};
    for (std::size_t i = 0; i < N; ++i)
        bytes[i] = std::byte{values[i]};
    return bytes;
}

// Like PNG's: a transfer that changes line ends or drops the eighth bit breaks the magic and is detected
// immediately.
inline constexpr auto kMagic = bytesOf({0x89, 'O', 'L', 'A', 'B', '\r', '\n', 0x1a});
inline constexpr auto kMarker = bytesOf({0xf7, 'c', 'h', 'u', 'n', 'k', 0x00, 0x9c});
inline constexpr std::size_t kHeaderSize = kMagic.size() + 8;
inline constexpr std::uint32_t kEndChunk = 0x2e444e45; // "END."
inline constexpr std::uint32_t kMaxPayload = 1u << 30; // a length above this is damage, not a chunk

constexpr std::size_t chunkHeaderSize(std::uint32_t version) {
    return kMarker.size() + (version == 1 ? 12 : 16);
}

struct ChunkHeader {
    std::uint32_t type = 0, length = 0, sequence = 0, crc = 0;
};

inline std::uint32_t checksum(std::uint32_t version, const ChunkHeader& h,
                              std::span<const std::byte> payload) {
    std::vector<std::byte> head;
    trace_detail::putLittle(head, h.type);
    trace_detail::putLittle(head, h.length);
    if (version > 1)
        trace_detail::putLittle(head, h.sequence);
    return crc32c(payload, crc32c(head));
}

/// A whole chunk of the current version.
std::vector<std::byte> chunkBytes(std::uint32_t type, std::uint32_t sequence,
                                  std::span<const std::byte> payload);

} // namespace olab::container_detail
