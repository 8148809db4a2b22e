#include <olab/cupti/buffer_pool.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace olab::cupti {
namespace {

/// Located after the bytes that CUPTI may write.
struct Tail {
    std::byte* next = nullptr;
    std::size_t valid = 0;
};
constexpr std::size_t kTailBytes = 64;
static_assert(sizeof(Tail) <= kTailBytes);

Tail& tailOf(std::byte* buffer) {
    return *reinterpret_cast<Tail*>(buffer + BufferPool::kBufferBytes);
}

/// The weight of a buffer towards the cap: its content, in sixteenths of a buffer. A flush returns the
/// buffers of all threads, most of them nearly empty; their number costs nothing new, since CUPTI held them
/// already.
std::size_t weightOf(std::size_t valid) {
    constexpr std::size_t kStep = BufferPool::kBufferBytes / 16;
    return std::max<std::size_t>(1, (valid + kStep - 1) / kStep) * kStep;
}

/// New pages of the system are zero already, and are not touched here.
void* fromSystem(std::size_t bytes) noexcept {
    return std::calloc(bytes, 1);
}

void clear(std::byte* buffer) noexcept {
    std::memset(buffer, 0, BufferPool::kBufferBytes);
}

} // namespace

ActivityBuffer::~ActivityBuffer() {
    std::free(m_data);
}

std::span<std::byte> ActivityBuffer::records() const {
    return {m_data, tailOf(m_data).valid};
}

void BufferPool::List::push(std::byte* buffer) noexcept {
    tailOf(buffer).next = nullptr;
    (m_last ? tailOf(m_last).next : m_first) = buffer;
    m_last = buffer;
    ++m_size;
}

std::byte* BufferPool::List::pop() noexcept {
    std::byte* const buffer = m_first;
    if (!buffer)
        return nullptr;
    m_first = tailOf(buffer).next;
    m_last = m_first ? m_last : nullptr;
    --m_size;
    return buffer;
}

BufferPool::BufferPool(std::size_t capBytes, CountRecords count, Allocate allocate)
    : m_capBytes(capBytes)
    , m_count(count)
    , m_allocate(allocate ? allocate : fromSystem) {}

BufferPool::~BufferPool() {
    for (List* list : {&m_free, &m_filled})
        while (std::byte* buffer = list->pop())
            std::free(buffer);
}

std::byte* BufferPool::request() noexcept {
    std::byte* const buffer = found();
    const std::lock_guard lock(m_mutex);
    m_givenOut += buffer ? 1 : 0;
    return buffer;
}

/// A free one, a new one, or the one that has waited longest.
std::byte* BufferPool::found() noexcept {
    {
        const std::lock_guard lock(m_mutex);
        if (std::byte* buffer = m_free.pop())
            return buffer;
    }
    std::byte* const buffer = newBuffer();
    return buffer ? buffer : takeBack();
}

std::byte* BufferPool::newBuffer() noexcept {
    auto* const buffer = static_cast<std::byte*>(m_allocate(kBufferBytes + kTailBytes));
    if (!buffer)
        return nullptr;
    new (buffer + kBufferBytes) Tail;
    const std::lock_guard lock(m_mutex);
    if (!remember(buffer)) {
        std::free(buffer);
        return nullptr;
    }
    m_allocatedBytes += kBufferBytes;
    return buffer;
}

/// @returns false: no memory for it
bool BufferPool::remember(std::byte* buffer) noexcept {
    try {
        m_all.push_back(buffer);
        return true;
    } catch (...) {
        return false;
    }
}

bool BufferPool::owns(const std::byte* buffer) const noexcept {
    const std::lock_guard lock(m_mutex);
    return std::ranges::find(m_all, buffer) != m_all.end();
}

/// Out of memory: the oldest records make room for new ones.
std::byte* BufferPool::takeBack() noexcept {
    std::unique_lock lock(m_mutex);
    std::byte* const oldest = m_filled.pop();
    if (!oldest)
        return m_free.pop();
    m_waitingBytes -= weightOf(tailOf(oldest).valid);
    lock.unlock();
    const std::uint64_t lost = m_count(oldest, tailOf(oldest).valid);
    clear(oldest);
    lock.lock();
    m_discardedRecords += lost;
    return oldest;
}

/// Clearing takes a while: not while holding the lock.
void BufferPool::pushFree(std::byte* buffer) noexcept {
    clear(buffer);
    const std::lock_guard lock(m_mutex);
    m_free.push(buffer);
}

std::size_t BufferPool::complete(std::byte* buffer, std::size_t valid) noexcept {
    if (!buffer)
        return 0;
    bool counts = true;
    std::size_t waiting = m_capBytes;
    {
        const std::lock_guard lock(m_mutex);
        --m_givenOut;
        const bool fits = m_waitingBytes + m_takenBytes + weightOf(valid) <= m_capBytes;
        if (valid > 0 && m_open && fits) {
            tailOf(buffer).valid = valid;
            m_filled.push(buffer);
            return m_waitingBytes += weightOf(valid);
        }
        counts = valid > 0 && m_open;
        waiting = counts ? m_capBytes : m_waitingBytes;
    }
    if (counts)
        countDiscarded(buffer, valid);
    pushFree(buffer);
    return waiting;
}

void BufferPool::countDiscarded(std::byte* buffer, std::size_t valid) noexcept {
    const std::uint64_t lost = m_count(buffer, valid); // takes a while: not while holding the lock
    const std::lock_guard lock(m_mutex);
    m_discardedRecords += lost;
}

ActivityBuffer BufferPool::take() noexcept {
    const std::lock_guard lock(m_mutex);
    std::byte* const buffer = m_filled.pop();
    if (buffer) {
        m_waitingBytes -= weightOf(tailOf(buffer).valid);
        m_takenBytes += weightOf(tailOf(buffer).valid);
    }
    return ActivityBuffer(buffer);
}

void BufferPool::recycle(ActivityBuffer buffer) noexcept {
    if (!buffer)
        return;
    clear(buffer.data()); // takes a while: not while holding the lock
    const std::lock_guard lock(m_mutex);
    m_takenBytes -= weightOf(buffer.records().size());
    m_free.push(buffer.release());
}

void BufferPool::keepReady(std::size_t buffers) noexcept {
    for (std::size_t missing = buffers; missing > 0; --missing) {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_open || m_free.size() >= buffers)
                return;
        }
        std::byte* const buffer = newBuffer();
        if (!buffer)
            return;
        pushFree(buffer); // touches it
    }
}

void BufferPool::close() noexcept {
    const std::lock_guard lock(m_mutex);
    m_open = false;
}

std::size_t BufferPool::waitingBuffers() const noexcept {
    const std::lock_guard lock(m_mutex);
    return m_filled.size();
}

std::size_t BufferPool::givenOut() const noexcept {
    const std::lock_guard lock(m_mutex);
    return m_givenOut;
}

std::uint64_t BufferPool::discardedRecords() const noexcept {
    const std::lock_guard lock(m_mutex);
    return m_discardedRecords;
}

std::size_t BufferPool::allocatedBytes() const noexcept {
    const std::lock_guard lock(m_mutex);
    return m_allocatedBytes;
}

} // namespace olab::cupti
