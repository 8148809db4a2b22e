// Reads a group of times as numbers of 32 bits; processors with AVX2 unpack eight at once.
#include <olab/trace/times.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace olab {

namespace {

constexpr unsigned kNearBits = 30;
using Numbers = std::array<std::int32_t, Times::kMostRead>;

void unpackPlain(const std::uint64_t* words, unsigned bits, std::size_t count, Numbers& out) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(words);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t number;
        std::memcpy(&number, bytes + i * bits / 8, sizeof number);
        out[i] = static_cast<std::int32_t>(number >> i * bits % 8 & mask);
    }
}

#if defined(__x86_64__)

constexpr unsigned kWideBits = 25; // in four bytes at any bit offset
constexpr std::size_t kEight = 8;

/// How eight numbers of some bits each become eight of 32 bits. Four of them are read from the first byte on,
/// four from byte bits / 2 on.
struct Unpacking {
    alignas(32) std::array<std::uint8_t, 32> bytes{};
    alignas(32) std::array<std::uint32_t, kEight> shifts{};
};

constexpr auto kUnpackings = [] {
    std::array<Unpacking, kWideBits + 1> all{};
    for (unsigned bits = 1; bits <= kWideBits; ++bits)
        for (unsigned i = 0; i < kEight; ++i) {
            const unsigned bit = i % 4 * bits + (i < 4 ? 0 : bits % 2 * 4);
            all[bits].shifts[i] = bit % 8;
            for (unsigned byte = 0; byte < 4; ++byte)
                all[bits].bytes[4 * i + byte] = static_cast<std::uint8_t>(bit / 8 + byte);
        }
    return all;
}();

[[gnu::target("avx2")]] void unpackWide(const std::uint64_t* words, unsigned bits, std::size_t count,
                                        Numbers& out) {
    const auto* from = reinterpret_cast<const unsigned char*>(words);
    const Unpacking& how = kUnpackings[bits];
    const __m256i bytes = _mm256_load_si256(reinterpret_cast<const __m256i*>(how.bytes.data())),
                  shifts = _mm256_load_si256(reinterpret_cast<const __m256i*>(how.shifts.data())),
                  mask = _mm256_set1_epi32((1 << bits) - 1);
    for (std::size_t i = 0; i < count; i += kEight, from += bits) {
        const __m256i packed = _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(from + bits / 2),
                                                   reinterpret_cast<const __m128i*>(from));
        const __m256i numbers =
            _mm256_and_si256(_mm256_srlv_epi32(_mm256_shuffle_epi8(packed, bytes), shifts), mask);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.data() + i), numbers);
    }
}
#endif

void unpack(const std::uint64_t* words, unsigned bits, std::size_t count, Numbers& out) {
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") != 0;
    if (wide && bits <= kWideBits)
        return unpackWide(words, bits, count, out);
#endif
    unpackPlain(words, bits, count, out);
}

} // namespace

std::size_t Times::readNear(std::size_t first, Near& out) const {
    const std::size_t at = m_first + first, from = at % kGroup,
                      count = std::min(m_count - first, kGroup - from);
    const Group group = m_groups[at / kGroup];
    if (group.beginBits > kNearBits || group.lengthBits > kNearBits)
        return 0;
    const std::uint64_t* const words = m_words + group.place;
    unpack(words, group.beginBits, from + count, out.begins);
    unpack(words + group.beginWords, group.lengthBits, from + count, out.lengths);
    out.base = group.base;
    if (from > 0) {
        std::copy_n(out.begins.begin() + static_cast<std::ptrdiff_t>(from), count, out.begins.begin());
        std::copy_n(out.lengths.begin() + static_cast<std::ptrdiff_t>(from), count, out.lengths.begin());
    }
    return count;
}

} // namespace olab
