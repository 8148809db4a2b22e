// Grows by whole blocks: never moves what it holds, and never holds it twice; can be read for the last time
// block by block, each let go of when it was read.
#pragma once

#include <olab/trace/column.h>

namespace olab::trace_detail {

template <typename T>
class BlockList {
public:
    void push(const T& value) {
        if (m_blocks.empty() || m_blocks.back().size() == kBlock) {
            m_blocks.emplace_back();
            if (m_blocks.size() > 1) // a small list stays small
                m_blocks.back().reserve(kBlock);
        }
        m_blocks.back().push_back(value);
        ++m_size;
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

    /// The same, for the last time: each block is gone when its elements were visited.
    template <typename Visit>
    void drain(Visit visit) {
        for (Column<T>& block : m_blocks) {
            for (const T& value : block)
                visit(value);
            Column<T>().swap(block);
        }
        m_blocks.clear();
        m_size = 0;
    }

private:
    static constexpr std::size_t kBlock = std::size_t{1} << 17;
    std::vector<Column<T>> m_blocks;
    std::size_t m_size = 0;
};

} // namespace olab::trace_detail
