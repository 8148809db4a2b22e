#include <olab/trace/times.h>

#include <olab/trace/index_search.h>

#include <algorithm>
#include <array>

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

} // namespace olab
