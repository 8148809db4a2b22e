#include <olab/trace/column.h>

#include <cstdint>
#include <sys/mman.h>

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

} // namespace olab
