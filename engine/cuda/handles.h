// Owners of CUDA objects. Destructors ignore errors: after a sticky one every call fails and the process is
// replaced anyway.
#pragma once

#include "check.h"

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <utility>

namespace olab::cuda {

class StreamHandle {
public:
    StreamHandle() = default;
    /// Wraps a handle that is not ours (the legacy NULL stream).
    static StreamHandle legacy() {
        StreamHandle s;
        s.m_stream = cudaStreamLegacy;
        return s;
    }
    /// The calling thread's own default stream: a different one in each thread that uses the handle.
    static StreamHandle perThread() {
        StreamHandle s;
        s.m_stream = cudaStreamPerThread;
        return s;
    }
    explicit StreamHandle(unsigned flags)
        : m_owned(true) {
        check(cudaStreamCreateWithFlags(&m_stream, flags), "create a stream");
    }
    StreamHandle(unsigned flags, int priority)
        : m_owned(true) {
        check(cudaStreamCreateWithPriority(&m_stream, flags, priority), "create a stream");
    }
    StreamHandle(StreamHandle&& o) noexcept
        : m_stream(std::exchange(o.m_stream, nullptr))
        , m_owned(std::exchange(o.m_owned, false)) {}
    StreamHandle& operator=(StreamHandle&& o) noexcept {
        std::swap(m_stream, o.m_stream);
        std::swap(m_owned, o.m_owned);
        return *this;
    }
    ~StreamHandle() {
        if (m_owned)
            cudaStreamDestroy(m_stream);
    }
    cudaStream_t get() const { return m_stream; }

private:
    cudaStream_t m_stream = nullptr;
    bool m_owned = false;
};

/// Belongs to the device that is current at construction.
class EventHandle {
public:
    explicit EventHandle(unsigned flags = cudaEventDefault) {
        check(cudaEventCreateWithFlags(&m_event, flags), "create an event");
    }
    EventHandle(EventHandle&& o) noexcept
        : m_event(std::exchange(o.m_event, nullptr)) {}
    EventHandle& operator=(EventHandle&& o) noexcept {
        std::swap(m_event, o.m_event);
        return *this;
    }
    ~EventHandle() {
        if (m_event)
            cudaEventDestroy(m_event);
    }
    cudaEvent_t get() const { return m_event; }

private:
    cudaEvent_t m_event = nullptr;
};

/// Memory of one kind, depending on how it was allocated.
class Memory {
public:
    using Free = std::function<void(void*)>;
    Memory() = default;
    Memory(void* data, std::size_t bytes, Free free)
        : m_data(data)
        , m_bytes(bytes)
        , m_free(std::move(free)) {}
    static Memory device(std::size_t bytes) {
        void* data = nullptr;
        checkAllocation(cudaMalloc(&data, bytes), MemoryPlace::Device, bytes);
        return {data, bytes, [](void* p) { cudaFree(p); }};
    }
    static Memory pinned(std::size_t bytes, unsigned flags = cudaHostAllocDefault) {
        void* data = nullptr;
        checkAllocation(cudaHostAlloc(&data, bytes, flags), MemoryPlace::PinnedHost, bytes);
        return {data, bytes, [](void* p) { cudaFreeHost(p); }};
    }
    static Memory pageable(std::size_t bytes) {
        Memory m(std::malloc(bytes), bytes, [](void* p) { std::free(p); });
        if (!m)
            throw Error(ErrorKind::DeviceFailed, "out-of-host-memory",
                        "Not enough host memory for the buffers.", "Smaller *.bytes or fewer streams.");
        return m;
    }
    Memory(Memory&& o) noexcept
        : m_data(std::exchange(o.m_data, nullptr))
        , m_bytes(o.m_bytes)
        , m_free(std::move(o.m_free)) {}
    Memory& operator=(Memory&& o) noexcept {
        std::swap(m_data, o.m_data);
        std::swap(m_bytes, o.m_bytes);
        std::swap(m_free, o.m_free);
        return *this;
    }
    ~Memory() {
        if (m_data)
            m_free(m_data);
    }
    template <typename T>
    T* as() const {
        return static_cast<T*>(m_data);
    }
    explicit operator bool() const { return m_data != nullptr; }
    std::size_t bytes() const { return m_bytes; }

private:
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
    Free m_free;
};

} // namespace olab::cuda
