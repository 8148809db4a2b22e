// Grows by whole blocks: never moves or duplicates its content; blocks can be read in parallel and released
// one by one.
#pragma once

#include <olab/trace/column.h>

#include <algorithm>
#include <span>

namespace olab::trace_detail {

template <typename T>
class BlockList {
public:
    void push(const T& value) {
        if (m_blocks.empty() || m_blocks.back().size() == kBlock)
            m_blocks.emplace_back();
        if (m_blocks.back().size() == kSmall || m_blocks.size() > 1) // a small list stays small
            m_blocks.back().reserve(kBlock);
        m_blocks.back().push_back(value);
        ++m_size;
    }
    /// Appends uninitialized elements.
    void extend(std::size_t count) {
        for (; count > 0 && m_blocks.size() <= 1 && m_size < kSmall; --count)
            push(T{});
        while (count > 0) {
            if (m_blocks.empty() || m_blocks.back().size() == kBlock)
                m_blocks.emplace_back();
            Column<T>& block = m_blocks.back();
            block.reserve(kBlock);
            const std::size_t fits = std::min(count, kBlock - block.size());
            block.resize(block.size() + fits);
            m_size += fits, count -= fits;
        }
    }
    /// A small list keeps its memory.
    void clear() {
        m_blocks.resize(m_blocks.empty() ? 0 : 1);
        for (Column<T>& block : m_blocks)
            block.clear();
        m_size = 0;
    }
    std::size_t size() const { return m_size; }
    const T& operator[](std::size_t i) const { return m_blocks[i / kBlock][i % kBlock]; }
    T& operator[](std::size_t i) { return m_blocks[i / kBlock][i % kBlock]; }
    /// Calls `visit` with each element, in order.
    template <typename Visit>
    void each(Visit visit) {
        for (Column<T>& block : m_blocks)
            for (T& value : block)
                visit(value);
    }
    template <typename Visit>
    void each(Visit visit) const {
        for (const Column<T>& block : m_blocks)
            for (const T& value : block)
                visit(value);
    }

    /// Access by block, also on several threads: all but the last one have kBlock elements.
    static constexpr std::size_t kBlock = std::size_t{1} << 17;
    std::size_t blocks() const { return m_blocks.size(); }
    std::span<const T> block(std::size_t number) const {
        return {m_blocks[number].data(), m_blocks[number].size()};
    }
    /// Releases a block whose elements are no longer needed.
    void release(std::size_t number) { Column<T>().swap(m_blocks[number]); }

private:
    static constexpr std::size_t kSmall = kBlock / 32;
    std::vector<Column<T>> m_blocks;
    std::size_t m_size = 0;
};

} // namespace olab::trace_detail
