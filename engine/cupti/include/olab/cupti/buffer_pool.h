// The memory CUPTI writes activity records into. request() and complete() are called from CUPTI's callbacks
// on any thread and do nothing but lock, push or pop, unlock: the lock is never held across a CUPTI call. A
// null buffer is never returned (rejecting one can crash CUPTI before 12.9, so the cap discards on completion
// instead and counts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace olab {

struct AlignedFree {
    void operator()(std::byte* p) const;
};
struct ActivityBuffer {
    std::unique_ptr<std::byte[], AlignedFree> data;
    std::size_t capacity = 0;
    std::size_t valid = 0; ///< bytes CUPTI filled
};

class BufferPool {
public:
    static constexpr std::size_t kBufferBytes = 4u << 20; ///< CUPTI advises 1 to 10 MB; Kineto uses 4
    explicit BufferPool(std::size_t capBytes = std::size_t{1} << 30);
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// A buffer of kBufferBytes for CUPTI to fill; never null. Throws nothing: out of memory ends the process
    /// (a traced child).
    std::byte* request() noexcept;
    /// Takes `buffer` back with `valid` bytes in it. Past the cap it is dropped and counted.
    void complete(std::byte* buffer, std::size_t valid) noexcept;

    /// Moves the filled buffers out, in the order they came.
    std::vector<ActivityBuffer> takeFilled();
    /// Gives buffers back for reuse.
    void recycle(std::vector<ActivityBuffer> buffers);
    std::uint64_t discardedBuffers() const;

private:
    mutable std::mutex m_mutex;
    std::vector<ActivityBuffer> m_free, m_filled;
    std::size_t m_capBytes, m_filledBytes = 0;
    std::uint64_t m_discarded = 0;
};

} // namespace olab
