#include <olab/trace/columns.h>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace olab {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20, kPage = 4096;
constexpr std::size_t kWorthIt = 2 * kHugePage; // below this the rounding costs more than is gained

constexpr std::size_t inPages(std::size_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
}

} // namespace

// From the system and back to it, not through malloc: memory released by one stage of a job is available to
// the next.
void* allocateColumn(std::size_t bytes) {
    if (bytes < kWorthIt)
        return ::operator new(bytes);
    const std::size_t wanted = inPages(bytes), mapped = wanted + kHugePage;
    void* memory = bytes > mapped // it wrapped
                       ? MAP_FAILED
                       : ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::size_t before = (kHugePage - address % kHugePage) % kHugePage;
    char* const column = static_cast<char*>(memory) + before;
    if (before > 0)
        ::munmap(memory, before);
    ::munmap(column + wanted, mapped - wanted - before);
    ::madvise(column, wanted, MADV_HUGEPAGE); // a hint: without it, only slower
    return column;
}

void freeColumn(void* memory, std::size_t bytes) noexcept {
    if (bytes < kWorthIt)
        ::operator delete(memory);
    else
        ::munmap(memory, inPages(bytes));
}

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
