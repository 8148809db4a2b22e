#include <olab/cupti/buffer_pool.h>

#include <olab/trace/error.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace olab {

void AlignedFree::operator()(std::byte* p) const {
    std::free(p);
}

BufferPool::BufferPool(std::size_t capBytes)
    : m_capBytes(capBytes) {}

BufferPool::~BufferPool() = default;

std::byte* BufferPool::request() noexcept {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_free.empty()) {
            std::byte* data = m_free.back().data.release();
            m_free.pop_back();
            return data;
        }
    }
    void* data = std::aligned_alloc(64, kBufferBytes);
    if (!data) { // a null buffer would crash CUPTI later and silently lose records; a traced child may die
        std::fputs("There is no memory left for CUPTI's records.\n", stderr); // its parent repeats this
        std::_Exit(static_cast<int>(ErrorKind::Internal));
    }
    return static_cast<std::byte*>(data);
}

void BufferPool::complete(std::byte* buffer, std::size_t valid) noexcept {
    ActivityBuffer filled{std::unique_ptr<std::byte[], AlignedFree>(buffer), kBufferBytes, valid};
    const std::lock_guard lock(m_mutex);
    if (valid == 0) {
        m_free.push_back(std::move(filled));
    } else if (m_filledBytes + kBufferBytes > m_capBytes) {
        ++m_discarded;
        m_free.push_back(std::move(filled));
    } else {
        m_filledBytes += kBufferBytes;
        m_filled.push_back(std::move(filled));
    }
}

std::vector<ActivityBuffer> BufferPool::takeFilled() {
    const std::lock_guard lock(m_mutex);
    m_filledBytes = 0;
    return std::exchange(m_filled, {});
}

void BufferPool::recycle(std::vector<ActivityBuffer> buffers) {
    const std::lock_guard lock(m_mutex);
    for (ActivityBuffer& buffer : buffers) {
        buffer.valid = 0;
        m_free.push_back(std::move(buffer));
    }
}

std::uint64_t BufferPool::discardedBuffers() const {
    const std::lock_guard lock(m_mutex);
    return m_discarded;
}

} // namespace olab
