// The memory CUPTI writes activity records into. request() and complete() are called from CUPTI's callbacks
// on any thread, also in other people's programs: they lock, push or pop, and unlock. They allocate only
// buffers, never throw and never end the process. The lock is never held across a CUPTI call. A buffer is
// refused (null) only if the system has no memory and no waiting buffer can be reclaimed; CUPTI 13.0 and
// later then drops records and counts them.
//
// All bytes of a buffer that is handed out are zero, so that CUPTI need not clear it in a thread of the
// program. The thread that reads the records clears buffers, and keeps some ready whose memory was touched.
//
// What is in buffers that wait to be read, or are being read, stays below the cap; further ones are discarded
// on completion, and their records are counted. What is in one counts in sixteenths of a full one.
// Not included in the cap are the buffers that CUPTI itself holds, one or two per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace olab::cupti {

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
    /// Number of records in the first `valid` bytes of a buffer, for discarded ones.
    using CountRecords = std::uint64_t (*)(std::byte* buffer, std::size_t valid) noexcept;
    /// Memory for a buffer, all zero, aligned for any type and released with free(); null if there is none.
    using Allocate = void* (*)(std::size_t bytes) noexcept;

    explicit BufferPool(std::size_t capBytes, CountRecords count, Allocate allocate = nullptr);
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer of kBufferBytes for CUPTI to fill, all zero.
    std::byte* request() noexcept;
    /// Whether it is one of these; others may have given CUPTI buffers too.
    bool owns(const std::byte* buffer) const noexcept;
    /// Returns `buffer` with `valid` bytes in it. @returns the bytes now waiting
    std::size_t complete(std::byte* buffer, std::size_t valid) noexcept;

    /// The one that has waited longest, empty if none waits. It counts towards the cap until it is returned.
    ActivityBuffer take() noexcept;
    void recycle(ActivityBuffer buffer) noexcept;
    /// Keeps this many buffers ready, in touched memory; for the thread that reads the records.
    void keepReady(std::size_t buffers) noexcept;
    /// From now on everything is discarded without being counted.
    void close() noexcept;

    std::size_t waitingBuffers() const noexcept;
    /// Buffers that CUPTI holds now.
    std::size_t givenOut() const noexcept;
    std::uint64_t discardedRecords() const noexcept;
    std::size_t allocatedBytes() const noexcept;

private:
    class List { ///< the links are in the buffers
    public:
        std::size_t size() const { return m_size; }
        void push(std::byte* buffer) noexcept;
        std::byte* pop() noexcept;

    private:
        std::byte *m_first = nullptr, *m_last = nullptr;
        std::size_t m_size = 0;
    };
    std::byte* newBuffer() noexcept;
    std::byte* takeBack() noexcept;
    std::byte* found() noexcept;
    bool remember(std::byte* buffer) noexcept;
    void pushFree(std::byte* buffer) noexcept;
    void countDiscarded(std::byte* buffer, std::size_t valid) noexcept;
    mutable std::mutex m_mutex;
    List m_free, m_filled;
    const std::size_t m_capBytes;
    const CountRecords m_count;
    const Allocate m_allocate;
    std::size_t m_waitingBytes = 0, m_takenBytes = 0, m_allocatedBytes = 0;
    std::size_t m_givenOut = 0;
    std::uint64_t m_discardedRecords = 0;
    bool m_open = true;
    std::vector<const std::byte*> m_all; ///< none is returned to the system before the end
};

} // namespace olab::cupti
