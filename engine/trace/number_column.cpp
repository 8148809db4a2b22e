#include <olab/trace/number_column.h>

#include <algorithm>
#include <limits>

namespace olab {
namespace {

bool fitsNarrow(std::size_t limit) {
    return limit <= std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;
}

} // namespace

void NumberColumn::resize(std::size_t size, std::size_t limit) {
    const bool narrow = fitsNarrow(limit);
    m_narrow.resize(narrow ? size : 0);
    m_wide.resize(narrow ? 0 : size);
}

void NumberColumn::fit(std::size_t limit) {
    if (m_wide.empty() || !fitsNarrow(limit))
        return;
    m_narrow.resize(m_wide.size());
    std::ranges::transform(m_wide, m_narrow.begin(),
                           [](std::uint32_t number) { return static_cast<std::uint16_t>(number); });
    Column<std::uint32_t>().swap(m_wide);
}

std::size_t NumberColumn::memoryBytes() const {
    return m_narrow.capacity() * sizeof(std::uint16_t) + m_wide.capacity() * sizeof(std::uint32_t);
}

} // namespace olab
