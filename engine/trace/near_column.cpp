#include <olab/trace/near_column.h>

#include <array>

namespace olab {

void NearColumn::reserve(std::size_t most) {
    m_groups.reserve((most + kGroup - 1) / kGroup);
    m_numbers.reserve(most);
}

void NearColumn::openGroup() {
    const auto place = static_cast<std::uint32_t>(m_numbers.size() / NearNumbers::Group::kEights);
    m_groups.push_back({0, place});
    m_hasBase = m_isWide = false;
    m_base = 0;
}

/// The first large value in a group makes all of it wide.
void NearColumn::pushWide(std::uint32_t number) {
    NearNumbers::Group& group = m_groups.back();
    const auto put = [this](std::uint32_t wide) {
        m_numbers.push_back(static_cast<std::uint16_t>(wide));
        m_numbers.push_back(static_cast<std::uint16_t>(wide >> 16));
    };
    if (!group.isWide()) {
        const std::size_t count = m_size % kGroup;
        std::array<std::uint32_t, kGroup> before;
        for (std::size_t i = 0; i < count; ++i)
            before[i] = (*this)[m_size - count + i];
        group.placeAndWide |= NearNumbers::Group::kWide;
        m_isWide = true;
        m_numbers.resize(group.place());
        for (std::size_t i = 0; i < count; ++i)
            put(before[i]);
    }
    put(number);
    ++m_size;
}

void NearColumn::append(const NearColumn& more) {
    const auto behind = static_cast<std::uint32_t>(m_numbers.size() / NearNumbers::Group::kEights);
    for (NearNumbers::Group group : more.m_groups) {
        group.placeAndWide += behind;
        m_groups.push_back(group);
    }
    m_numbers.insert(m_numbers.end(), more.m_numbers.begin(), more.m_numbers.end());
    m_size += more.m_size;
    m_hasBase = more.m_hasBase, m_isWide = more.m_isWide, m_base = more.m_base;
}

void NearColumn::fit() {
    if (m_numbers.size() < m_numbers.capacity() / 8 * 7)
        m_numbers.shrink_to_fit();
    if (m_groups.size() < m_groups.capacity() / 8 * 7)
        m_groups.shrink_to_fit();
}

std::size_t NearColumn::memoryBytes() const {
    return m_groups.capacity() * sizeof(NearNumbers::Group) + m_numbers.capacity() * sizeof(std::uint16_t);
}

} // namespace olab
