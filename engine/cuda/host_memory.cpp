#include "host_memory.h"

namespace olab {

Memory hostMemory(HostMemory kind, std::size_t bytes, bool portable) {
    const unsigned allocate = portable ? cudaHostAllocPortable : cudaHostAllocDefault;
    switch (kind) {
    case HostMemory::Pinned:
        return Memory::pinned(bytes, allocate);
    case HostMemory::WriteCombined:
        return Memory::pinned(bytes, allocate | cudaHostAllocWriteCombined);
    case HostMemory::Mapped:
        return Memory::pinned(bytes, allocate | cudaHostAllocMapped);
    case HostMemory::Registered:
        return Memory::registered(bytes, portable ? cudaHostRegisterPortable : cudaHostRegisterDefault);
    case HostMemory::Managed:
        return Memory::managed(bytes);
    case HostMemory::Pageable:
        break;
    }
    return Memory::pageable(bytes);
}

std::uint32_t* deviceView(HostMemory kind, const Memory& memory) {
    if (!memory || !usedInPlace(kind))
        return nullptr;
    if (kind == HostMemory::Managed)
        return memory.as<std::uint32_t>();
    void* view = nullptr;
    check(cudaHostGetDevicePointer(&view, memory.as<void>(), 0), "map host memory");
    return static_cast<std::uint32_t*>(view);
}

} // namespace olab
