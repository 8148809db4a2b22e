// The memory CUPTI writes activity records into. request() and complete() are called from CUPTI's callbacks
// on any thread, in somebody else's program too: they lock, push or pop, and unlock, allocate nothing but
// buffers, throw nothing and end nothing. The lock is never held across a CUPTI call. A buffer is refused
// (null) only where the system has no memory and nothing that waits can be taken back; CUPTI 13.0 and later
// then drops records and counts them.
//
// What waits to be read, or is being read, stays below the cap: what comes beyond it is discarded on
// completion, and its records are counted. Beside the cap there are only the buffers that CUPTI holds itself,
// one or two for each thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

namespace olab {

/// A buffer and what CUPTI wrote into it; empty, or owned by whoever holds it.
class ActivityBuffer {
public:
    ActivityBuffer() = default;
    explicit ActivityBuffer(std::byte* data)
        : m_data(data) {}
    ActivityBuffer(ActivityBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)) {}
    ActivityBuffer& operator=(ActivityBuffer&& other) noexcept {
        std::swap(m_data, other.m_data);
        return *this;
    }
    ~ActivityBuffer();
    explicit operator bool() const { return m_data != nullptr; }
    std::byte* data() const { return m_data; }
    std::span<std::byte> records() const;
    std::byte* release() { return std::exchange(m_data, nullptr); }

private:
    std::byte* m_data = nullptr;
};

class BufferPool {
public:
    static constexpr std::size_t kBufferBytes = 4u << 20; ///< CUPTI advises 1 to 10 MB; Kineto uses 4
    /// Records in the first `valid` bytes of a buffer; for those that are discarded.
    using CountRecords = std::uint64_t (*)(std::byte* buffer, std::size_t valid) noexcept;
    /// Memory for a buffer, to be given back by free(); null where there is none.
    using Allocate = void* (*)(std::size_t alignment, std::size_t bytes) noexcept;

    explicit BufferPool(std::size_t capBytes, CountRecords count, Allocate allocate = nullptr);
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer of kBufferBytes for CUPTI to fill.
    std::byte* request() noexcept;
    /// Takes `buffer` back with `valid` bytes in it. @returns the bytes that wait now
    std::size_t complete(std::byte* buffer, std::size_t valid) noexcept;

    /// The one that has waited longest, empty if none does. It counts to the cap until it is given back.
    ActivityBuffer take() noexcept;
    void recycle(ActivityBuffer buffer) noexcept;
    /// From now on all that comes is discarded and not even counted.
    void close() noexcept;

    std::size_t waitingBuffers() const noexcept;
    std::uint64_t discardedRecords() const noexcept;
    std::size_t allocatedBytes() const noexcept;

private:
    class List { ///< the links are in the buffers
    public:
        bool empty() const { return !m_first; }
        void push(std::byte* buffer) noexcept;
        std::byte* pop() noexcept;

    private:
        std::byte *m_first = nullptr, *m_last = nullptr;
    };
    std::byte* takeBack() noexcept;
    void discard(std::byte* buffer, std::size_t valid) noexcept;
    mutable std::mutex m_mutex;
    List m_free, m_filled;
    const std::size_t m_capBytes;
    const CountRecords m_count;
    const Allocate m_allocate;
    std::size_t m_waitingBytes = 0, m_takenBytes = 0, m_allocatedBytes = 0;
    std::uint64_t m_discardedRecords = 0;
    bool m_open = true;
};

} // namespace olab
