#include <olab/trace/times.h>

#include <olab/trace/index_search.h>

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace olab {
namespace {

/// The number of bits for the numbers of a group; `all` is the bitwise OR of them.
unsigned bitsFor(std::uint64_t all) {
    constexpr unsigned kMostInAnyByte = 57;
    const auto bits = static_cast<unsigned>(std::bit_width(all | 1));
    return bits <= kMostInAnyByte ? bits : 64;
}

} // namespace

Times Times::part(std::size_t first, std::size_t count) const {
    Times part = *this;
    part.m_first += first;
    part.m_count = count;
    return part;
}

/// Searches the begins of groups first: they are contiguous.
template <typename IsBefore>
std::size_t Times::firstByBegin(std::size_t first, std::size_t last, IsBefore isBefore) const {
    if (first >= last)
        return first;
    const std::size_t from = m_first + first, to = m_first + last;
    const std::size_t group = firstNotBefore(from / kGroup + 1, (to - 1) / kGroup + 1,
                                             [&](std::size_t g) { return isBefore(m_groups[g].base); });
    const std::size_t inside = std::max(from, (group - 1) * kGroup), behind = std::min(to, group * kGroup);
    return firstNotBefore(inside, behind, [&](std::size_t at) { return isBefore(begin(at - m_first)); }) -
           m_first;
}

std::size_t Times::firstFrom(Ns t, std::size_t first, std::size_t last) const {
    return firstByBegin(first, last, [t](Ns begin) { return begin < t; });
}

std::size_t Times::firstBehind(Ns t) const {
    return firstByBegin(0, m_count, [t](Ns begin) { return begin <= t; });
}

std::size_t Times::firstEndingFrom(Ns t) const {
    return firstNotBefore(0, m_count, [&](std::size_t i) { return end(i) < t; });
}

std::size_t Times::firstEndingBehind(Ns t) const {
    return firstNotBefore(0, m_count, [&](std::size_t i) { return end(i) <= t; });
}

// Reserved but unfilled pages are never touched, so they take no memory.
TimesColumn::TimesColumn(std::size_t most) {
    m_groups.reserve((most + Times::kGroup - 1) / Times::kGroup);
    m_words.reserve(most);
}

void TimesColumn::close() {
    std::array<std::uint64_t, Times::kGroup> since, lengths;
    const auto unsignedOf = [](Ns time) { return static_cast<std::uint64_t>(time); };
    std::uint64_t allSince = 0, allLengths = 0;
    const Ns base = m_open.front().begin;
    for (std::size_t i = 0; i < m_open.size(); ++i) {
        since[i] = unsignedOf(m_open[i].begin) - unsignedOf(base);
        lengths[i] = unsignedOf(m_open[i].end) - unsignedOf(m_open[i].begin);
        allSince |= since[i], allLengths |= lengths[i];
    }
    const unsigned beginBits = bitsFor(allSince), lengthBits = bitsFor(allLengths);
    const std::size_t place = m_words.size();
    put(since.data(), m_open.size(), beginBits);
    const std::size_t beginWords = m_words.size() - place;
    put(lengths.data(), m_open.size(), lengthBits);
    m_groups.push_back({base, static_cast<std::uint32_t>(place), static_cast<std::uint16_t>(beginWords),
                        static_cast<std::uint8_t>(beginBits), static_cast<std::uint8_t>(lengthBits)});
    m_count += m_open.size();
    m_open.clear();
}

void TimesColumn::put(const std::uint64_t* numbers, std::size_t count, unsigned bits) {
    const std::size_t place = m_words.size();
    m_words.resize(place + (count * bits + 63) / 64);
    std::uint64_t* out = m_words.data() + place;
    std::uint64_t word = 0;
    unsigned filled = 0;
    for (std::size_t i = 0; i < count; ++i) {
        word |= numbers[i] << filled;
        filled += bits;
        if (filled < 64)
            continue;
        *out++ = word;
        filled -= 64;
        word = filled > 0 ? numbers[i] >> (bits - filled) : 0;
    }
    if (filled > 0)
        *out = word;
}

void TimesColumn::finish() {
    if (!m_open.empty())
        close();
    std::vector<Interval>().swap(m_open); // `= {}` would keep its memory
    if (m_count > 0)
        m_words.insert(m_words.end(), kBehind, 0);
    if (m_words.size() < m_words.capacity() / 8 * 7)
        m_words.shrink_to_fit();
    if (m_groups.size() < m_groups.capacity() / 8 * 7)
        m_groups.shrink_to_fit();
}

std::size_t TimesColumn::memoryBytes() const {
    return m_groups.capacity() * sizeof(Times::Group) + m_words.capacity() * sizeof(std::uint64_t) +
           m_open.capacity() * sizeof(Interval);
}

// Reads a group of times as numbers of 32 bits; processors with AVX2 unpack eight at once.

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
