#include <olab/trace/column.h>

#include <cstdlib>
#include <sys/mman.h>

namespace olab {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kWorthIt = 2 * kHugePage; // below, what is rounded up weighs more than what is won

} // namespace

void* allocateColumn(std::size_t bytes) {
    if (bytes < kWorthIt)
        return ::operator new(bytes);
    const std::size_t rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    void* memory = std::aligned_alloc(kHugePage, rounded);
    if (!memory)
        throw std::bad_alloc();
    ::madvise(memory, rounded, MADV_HUGEPAGE); // a wish: without it, only slower
    return memory;
}

void freeColumn(void* memory, std::size_t bytes) noexcept {
    if (bytes < kWorthIt)
        ::operator delete(memory);
    else
        std::free(memory);
}

} // namespace olab
