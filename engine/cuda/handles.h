// Owners of CUDA things. Destructors ignore errors: after a sticky one every call fails and the process is
// replaced anyway.
#pragma once

#include "check.h"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace olab {

class StreamHandle {
public:
    StreamHandle() = default;
    /// Wraps a handle that is not ours (the legacy NULL stream).
    static StreamHandle legacy() {
        StreamHandle s;
        s.m_stream = cudaStreamLegacy;
        return s;
    }
    /// The calling thread's own default stream: another one in each thread that uses the handle.
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

/// Belongs to the device that is current when it is made.
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

/// Memory of one kind; which one is a matter of how it was made.
class Memory {
public:
    Memory() = default;
    static Memory device(std::size_t bytes) {
        Memory m(cudaFreeVoid, bytes);
        checkAllocation(cudaMalloc(&m.m_data, bytes), MemoryPlace::Device, bytes);
        return m;
    }
    static Memory pinned(std::size_t bytes, unsigned flags = cudaHostAllocDefault) {
        Memory m(cudaFreeHostVoid, bytes);
        checkAllocation(cudaHostAlloc(&m.m_data, bytes, flags), MemoryPlace::PinnedHost, bytes);
        return m;
    }
    /// Ordinary memory that is page-locked afterwards. Whole pages: neighbours must not share one.
    static Memory registered(std::size_t bytes, unsigned flags = cudaHostRegisterDefault) {
        const std::size_t pages = (bytes + kPage - 1) / kPage * kPage;
        Memory m(unregisterAndFree, bytes);
        void* data = std::aligned_alloc(kPage, pages);
        const cudaError_t status = data ? cudaHostRegister(data, pages, flags) : cudaErrorMemoryAllocation;
        if (status != cudaSuccess)
            std::free(data);
        checkAllocation(status, MemoryPlace::PinnedHost, bytes);
        m.m_data = data;
        return m;
    }
    static Memory managed(std::size_t bytes) {
        Memory m(cudaFreeVoid, bytes);
        checkAllocation(cudaMallocManaged(&m.m_data, bytes), MemoryPlace::Device, bytes);
        return m;
    }
    static Memory pageable(std::size_t bytes) {
        Memory m(std::free, bytes);
        m.m_data = std::malloc(bytes);
        if (!m.m_data)
            throw Error(ErrorKind::DeviceFailed, "out-of-host-memory",
                        "Not enough host memory for the buffers.", "Smaller *.bytes or fewer streams.");
        return m;
    }
    Memory(Memory&& o) noexcept
        : m_data(std::exchange(o.m_data, nullptr))
        , m_bytes(o.m_bytes)
        , m_free(o.m_free) {}
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
    /// Somebody else has freed it, or will.
    void* release() { return std::exchange(m_data, nullptr); }
    template <typename T>
    T* as() const {
        return static_cast<T*>(m_data);
    }
    explicit operator bool() const { return m_data != nullptr; }
    std::size_t bytes() const { return m_bytes; }

private:
    using Free = void (*)(void*);
    Memory(Free free, std::size_t bytes)
        : m_bytes(bytes)
        , m_free(free) {}
    static void cudaFreeVoid(void* p) { cudaFree(p); }
    static void cudaFreeHostVoid(void* p) { cudaFreeHost(p); }
    static void unregisterAndFree(void* p) {
        cudaHostUnregister(p);
        std::free(p);
    }
    static constexpr std::size_t kPage = 4096;
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
    Free m_free = std::free;
};

} // namespace olab
