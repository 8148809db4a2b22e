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

std::size_t LengthColumn::memoryBytes() const {
    return m_short.capacity() * sizeof(std::uint32_t) + m_long.capacity() * sizeof(m_long.front());
}

} // namespace olab
