// Columns of millions of numbers. Touching memory in 4 KiB pages for the first time costs several times as
// much as filling it, so large columns request huge pages. resize() leaves numbers uninitialized, since the
// caller fills them.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace olab {

/// Memory for a column; on huge pages if available and worthwhile. @throws std::bad_alloc
void* allocateColumn(std::size_t bytes);
void freeColumn(void* memory, std::size_t bytes) noexcept;

template <typename T>
class ColumnAllocator {
public:
    using value_type = T;
    ColumnAllocator() = default;
    template <typename U>
    explicit(false) ColumnAllocator(const ColumnAllocator<U>&) noexcept {}
    T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T*>(allocateColumn(n * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t n) noexcept { freeColumn(memory, n * sizeof(T)); }
    template <typename U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <typename U, typename... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
    friend bool operator==(const ColumnAllocator&, const ColumnAllocator&) { return true; }
};

template <typename T>
using Column = std::vector<T, ColumnAllocator<T>>;

} // namespace olab
