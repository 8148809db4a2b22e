#include <olab/trace/ascending_column.h>
#include <olab/trace/length_column.h>

#include <algorithm>

namespace olab {

void LengthColumn::resize(std::size_t size) {
    m_short.resize(size);
}

void LengthColumn::addLong(std::size_t i, Ns length) {
    m_long.emplace_back(i, length);
}

Ns LengthColumn::longAt(std::size_t i) const {
    const auto at = std::ranges::lower_bound(m_long, i, {}, [](const auto& entry) { return entry.first; });
    return at->second;
}

void LengthColumn::append(const LengthColumn& more) {
    for (const auto& [i, length] : more.m_long)
        addLong(size() + i, length);
    m_short.insert(m_short.end(), more.m_short.begin(), more.m_short.end());
}

void LengthColumn::fit() {
    if (m_short.size() < m_short.capacity() / 8 * 7)
        m_short.shrink_to_fit();
}

std::size_t LengthColumn::memoryBytes() const {
    return m_short.capacity() * sizeof(std::uint32_t) + m_long.capacity() * sizeof(m_long.front());
}

void AscendingColumn::reserve(std::size_t most) {
    m_bases.reserve((most + kGroup - 1) / kGroup);
    m_since.reserve(most);
}

void AscendingColumn::resize(std::size_t size) {
    m_bases.resize((size + kGroup - 1) / kGroup);
    m_since.resize(size);
}

void AscendingColumn::fit() {
    if (m_bases.size() < m_bases.capacity() / 8 * 7)
        m_bases.shrink_to_fit();
    m_since.fit();
}

std::size_t AscendingColumn::memoryBytes() const {
    return m_bases.capacity() * sizeof(Ns) + m_since.memoryBytes();
}

} // namespace olab
