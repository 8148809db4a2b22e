// Owners of CUDA objects, the devices of a run, and what CUDA says turned into an Error.
#pragma once

#include <olab/trace/error.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace olab::cuda {

// check(cudaX(...)): turns a CUDA error into an Error that says what to do.

/// "CUDA failed to find a device: no CUDA-capable device is detected (cudaErrorNoDevice)."
std::string cudaMessage(cudaError_t status, const char* doing);
/// @throws Error: NoDevice for a missing driver or device, DeviceFailed otherwise
void check(cudaError_t status, const char* doing);
enum class MemoryPlace : bool { Device, PinnedHost };
/// The same for an allocation of `bytes`: says how much was requested and what to lower.
void checkAllocation(cudaError_t status, MemoryPlace place, std::size_t bytes);
std::string cudaVersionText(int version); ///< 13000 -> "13.0"

/// Owners of CUDA objects. Destructors ignore errors: after a sticky one every call fails and the process is
/// replaced anyway.
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

/// The devices of a run: maps the 0-based numbers of a schedule to CUDA's, and sets the current device of
/// this thread.
class Devices {
public:
    /// `count` devices from `first` on, wrapping around at the end of CUDA's list. @throws Error
    /// (no-such-device)
    Devices(int first, int count);
    std::size_t size() const { return m_ordinals.size(); }
    int ordinal(std::int32_t device) const { return m_ordinals[static_cast<std::size_t>(device)]; }
    std::int32_t next(std::int32_t device) const {
        return static_cast<std::int32_t>((static_cast<std::size_t>(device) + 1) % m_ordinals.size());
    }
    /// Makes it current in the calling thread. @throws Error
    void use(std::int32_t device) const { check(cudaSetDevice(ordinal(device)), "use the device"); }
    /// Waits for each. Leaves the first one current. @throws Error: `doing` is what failed
    void synchronize(const char* doing) const;
    /// The same without exceptions.
    void synchronizeQuietly() const noexcept;

private:
    std::vector<int> m_ordinals;
};

} // namespace olab::cuda
