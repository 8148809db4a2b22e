#include "buffer_memory.h"

#include <cstdlib>

namespace olab::cuda {
namespace {

constexpr std::size_t kPage = 4096;

unsigned flagsOf(const experiment::Buffer& buffer) {
    const unsigned flags = buffer.portable ? cudaHostAllocPortable : cudaHostAllocDefault;
    if (buffer.memory == experiment::HostMemory::WriteCombined)
        return flags | cudaHostAllocWriteCombined;
    return buffer.memory == experiment::HostMemory::Mapped ? flags | cudaHostAllocMapped : flags;
}

Memory pinned(const experiment::Buffer& buffer, std::size_t bytes, Calls& calls) {
    void* data = nullptr;
    checkAllocation(calls.allocateHost(&data, bytes, flagsOf(buffer), buffer.device), MemoryPlace::PinnedHost,
                    bytes);
    return {data, bytes, [&calls, device = buffer.device](void* p) { calls.freeHost(p, device); }};
}

Memory managed(std::size_t bytes, std::int32_t device, Calls& calls) {
    void* data = nullptr;
    checkAllocation(calls.allocateManaged(&data, bytes, device), MemoryPlace::Device, bytes);
    return {data, bytes, [&calls, device](void* p) { calls.free(p, device); }};
}

/// Ordinary memory that is page-locked afterwards. Whole pages: neighbours must not share one.
Memory registered(const experiment::Buffer& buffer, std::size_t bytes, Calls& calls) {
    const std::size_t pages = (bytes + kPage - 1) / kPage * kPage;
    const unsigned flags = buffer.portable ? cudaHostRegisterPortable : cudaHostRegisterDefault;
    void* data = std::aligned_alloc(kPage, pages);
    const cudaError_t status =
        data ? calls.registerHost(data, pages, flags, buffer.device) : cudaErrorMemoryAllocation;
    if (status != cudaSuccess)
        std::free(data);
    checkAllocation(status, MemoryPlace::PinnedHost, bytes);
    return {data, bytes, [&calls, device = buffer.device](void* p) {
                calls.unregisterHost(p, device);
                std::free(p);
            }};
}

Memory hostMemory(const experiment::Buffer& buffer, std::size_t bytes, Calls& calls) {
    switch (buffer.memory) {
    case experiment::HostMemory::Pinned:
    case experiment::HostMemory::WriteCombined:
    case experiment::HostMemory::Mapped:
        return pinned(buffer, bytes, calls);
    case experiment::HostMemory::Registered:
        return registered(buffer, bytes, calls);
    case experiment::HostMemory::Managed:
        return managed(bytes, buffer.device, calls);
    case experiment::HostMemory::Pageable:
        break;
    }
    return Memory::pageable(bytes);
}

} // namespace

Memory deviceMemory(std::size_t bytes, std::int32_t device, Calls& calls) {
    void* data = nullptr;
    checkAllocation(calls.allocate(&data, bytes, device), MemoryPlace::Device, bytes);
    return {data, bytes, [&calls, device](void* p) { calls.free(p, device); }};
}

Memory memoryFor(const experiment::Buffer& buffer, Calls& calls) {
    const auto bytes = static_cast<std::size_t>(buffer.bytes);
    switch (buffer.place) {
    case experiment::BufferPlace::Device:
        return deviceMemory(bytes, buffer.device, calls);
    case experiment::BufferPlace::Host:
        return hostMemory(buffer, bytes, calls);
    case experiment::BufferPlace::Constant:
        break;
    }
    return {};
}

std::uint32_t* deviceView(const experiment::Buffer& buffer, const Memory& memory, Calls& calls) {
    if (buffer.place != experiment::BufferPlace::Host || !experiment::usedInPlace(buffer.memory))
        return nullptr;
    if (buffer.memory == experiment::HostMemory::Managed)
        return memory.as<std::uint32_t>();
    void* view = nullptr;
    check(calls.deviceView(&view, memory.as<void>(), buffer.device), "map host memory");
    return static_cast<std::uint32_t*>(view);
}

} // namespace olab::cuda
