// CRC-32C (Castagnoli, the polynomial of iSCSI and of the SSE 4.2 instruction), reflected.
#include <olab/trace/container.h>

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace olab {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78u;
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// Slice-by-8: table k holds the CRC of a byte followed by k zero bytes.
constexpr Tables makeTables() {
    Tables t{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
        t[0][byte] = crc;
    }
    for (std::size_t k = 1; k < t.size(); ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            t[k][byte] = (t[k - 1][byte] >> 8) ^ t[0][t[k - 1][byte] & 0xff];
    return t;
}
constexpr Tables kTables = makeTables();

std::uint32_t stepByte(std::uint32_t crc, std::byte b) {
    return (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(b)) & 0xff];
}

std::uint32_t stepEight(std::uint32_t crc, const std::byte* p) {
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        const std::uint32_t mixed = i < 4 ? (crc >> (8 * i)) & 0xff : 0;
        result ^= kTables[7 - i][mixed ^ std::to_integer<std::uint32_t>(p[i])];
    }
    return result;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crcHardware(std::span<const std::byte> data,
                                                            std::uint32_t crc) {
    std::uint64_t wide = crc;
    std::size_t i = 0;
    for (; i + 8 <= data.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data.data() + i, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; i < data.size(); ++i)
        crc = _mm_crc32_u8(crc, std::to_integer<unsigned char>(data[i]));
    return crc;
}
#endif

} // namespace

std::uint32_t crc32cPortable(std::span<const std::byte> data, std::uint32_t seed) {
    std::uint32_t crc = ~seed;
    std::size_t i = 0;
    for (; i + 8 <= data.size(); i += 8)
        crc = stepEight(crc, data.data() + i);
    for (; i < data.size(); ++i)
        crc = stepByte(crc, data[i]);
    return ~crc;
}

std::uint32_t crc32c(std::span<const std::byte> data, std::uint32_t seed) {
#if defined(__x86_64__)
    static const bool hardware = __builtin_cpu_supports("sse4.2") != 0;
    if (hardware)
        return ~crcHardware(data, ~seed);
#endif
    return crc32cPortable(data, seed);
}

} // namespace olab
