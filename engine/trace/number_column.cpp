#include <olab/trace/number_column.h>

#include <algorithm>

namespace olab {
namespace {

constexpr std::size_t kReadAtOnce = sizeof(std::uint32_t);

unsigned shiftFor(std::size_t limit) {
    return limit <= std::size_t{1} << 8 ? 0 : limit <= std::size_t{1} << 16 ? 1 : 2;
}

} // namespace

void NumberColumn::resize(std::size_t size, std::size_t limit) {
    m_shift = shiftFor(limit);
    m_mask = static_cast<std::uint32_t>((std::uint64_t{1} << (8u << m_shift)) - 1);
    m_size = size;
    const std::size_t bytes = size << m_shift, more = size == 0 ? 0 : kReadAtOnce;
    m_bytes.resize(bytes + more);
    std::fill_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(bytes), more, std::uint8_t{0});
}

void NumberColumn::widen(std::size_t size, std::size_t known, std::size_t limit) {
    if (m_size == size && limit <= std::size_t{m_mask} + 1)
        return;
    NumberColumn wider;
    wider.resize(size, limit);
    for (std::size_t i = 0; i < known; ++i)
        wider.set(i, empty() ? 0 : (*this)[i]);
    *this = std::move(wider);
}

void NumberColumn::fit(std::size_t limit) {
    if (shiftFor(limit) == m_shift)
        return;
    NumberColumn fitting;
    fitting.resize(m_size, limit);
    for (std::size_t i = 0; i < m_size; ++i)
        fitting.set(i, (*this)[i]);
    *this = std::move(fitting);
}

std::size_t NumberColumn::memoryBytes() const {
    return m_bytes.capacity();
}

} // namespace olab
