#include <olab/trace/times.h>

namespace olab {

namespace {

/// The first number from `first` on, up to `last`, of which `isBefore` does not hold.
template <typename IsBefore>
std::size_t firstNot(std::size_t first, std::size_t last, IsBefore isBefore) {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (isBefore(middle))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

} // namespace

Times Times::part(std::size_t first, std::size_t count) const {
    Times part = *this;
    part.m_count = count;
    if (m_since)
        part.m_first += first;
    else {
        part.m_begins += first;
        part.m_ends += first;
    }
    return part;
}

std::size_t Times::firstFrom(Ns t, std::size_t first, std::size_t last) const {
    return firstNot(first, last, [&](std::size_t i) { return begin(i) < t; });
}

std::size_t Times::firstBehind(Ns t) const {
    return firstNot(0, m_count, [&](std::size_t i) { return begin(i) <= t; });
}

std::size_t Times::firstEndingFrom(Ns t) const {
    return firstNot(0, m_count, [&](std::size_t i) { return end(i) < t; });
}

std::size_t Times::firstEndingBehind(Ns t) const {
    return firstNot(0, m_count, [&](std::size_t i) { return end(i) <= t; });
}

TimesColumn::TimesColumn(std::size_t most)
    : m_most(most) {
    m_since.reserve(most), m_lengths.reserve(most);
    m_bases.reserve((most + kGroup - 1) / kGroup);
}

void TimesColumn::addWide(Interval time) {
    if (!m_wide) {
        const std::size_t count = m_since.size();
        const Times known = times();
        m_begins.reserve(m_most), m_ends.reserve(m_most);
        for (std::size_t i = 0; i < count; ++i)
            m_begins.push_back(known.begin(i)), m_ends.push_back(known.end(i));
        m_wide = true;
        Column<std::uint32_t>().swap(m_since), Column<std::uint32_t>().swap(m_lengths); // `= {}` keeps memory
        Column<Ns>().swap(m_bases);
    }
    m_begins.push_back(time.begin), m_ends.push_back(time.end);
}

void TimesColumn::fit() {
    if (size() >= (m_wide ? m_begins.capacity() : m_since.capacity()) / 8 * 7)
        return;
    m_since.shrink_to_fit(), m_lengths.shrink_to_fit(), m_bases.shrink_to_fit();
    m_begins.shrink_to_fit(), m_ends.shrink_to_fit();
}

Times TimesColumn::times() const {
    if (m_wide)
        return {m_begins, m_ends};
    Times times;
    times.m_count = m_since.size();
    if (times.m_count == 0)
        return times;
    times.m_since = m_since.data(), times.m_lengths = m_lengths.data(), times.m_bases = m_bases.data();
    return times;
}

std::size_t TimesColumn::memoryBytes() const {
    return (m_since.capacity() + m_lengths.capacity()) * sizeof(std::uint32_t) +
           (m_bases.capacity() + m_begins.capacity() + m_ends.capacity()) * sizeof(Ns);
}

} // namespace olab
