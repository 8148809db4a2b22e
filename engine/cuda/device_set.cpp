#include "device_set.h"

#include <olab/experiment/schedule.h>
#include <olab/kernels/small_kernels.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

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

namespace {

constexpr std::size_t kStreamedBytes = 256u << 20; // the memory kernel's buffer: several times any L2 cache

kernels::Workload workloadOf(const experiment::PlannedKernel& kernel) {
    return kernel.kind == experiment::KernelKind::Compute ? kernels::Workload::Fma
                                                          : kernels::Workload::Stream;
}

bool streams(const experiment::PlannedKernel& kernel) {
    return kernel.launched && kernel.kind == experiment::KernelKind::Memory;
}

bool copiesToConstants(const experiment::Schedule& schedule) {
    return std::ranges::any_of(schedule.buffers.rows(), [](const experiment::Buffer& buffer) {
        return buffer.place == experiment::BufferPlace::Constant;
    });
}

bool has(const experiment::Schedule& schedule, experiment::OpKind kind) {
    return std::any_of(schedule.solos.begin(), schedule.solos.end(),
                       [kind](const experiment::SoloOp& solo) { return solo.kind == kind; });
}

Memory cleared(std::size_t bytes, std::int32_t device, Calls& calls) {
    Memory memory = deviceMemory(bytes, device, calls);
    check(cudaMemset(memory.as<void>(), 0, bytes), "clear a buffer");
    return memory;
}

std::uint64_t availableHostBytes() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kib = 0;
    std::string unit;
    while (file >> key >> kib >> unit)
        if (key == "MemAvailable:")
            return kib << 10;
    return std::numeric_limits<std::uint64_t>::max();
}

} // namespace

DeviceSet::DeviceSet(const experiment::Schedule& schedule, std::int32_t device, Calls& calls)
    : m_errors(cleared(sizeof(std::uint32_t), device, calls)) {
    resolveGrid(schedule.kernel);
    resolveGrids(schedule);
    if (has(schedule, experiment::OpKind::InterfereMemset) ||
        has(schedule, experiment::OpKind::InterfereCopy))
        m_interfere = cleared(2 * static_cast<std::size_t>(experiment::kInterfereBytes), device, calls);
    if (streams(schedule.kernel))
        m_streamed = cleared(kStreamedBytes, device, calls);
    if (copiesToConstants(schedule)) {
        void* address = nullptr;
        check(kernels::constantArray(address), "find the constant array");
        check(cudaMemset(address, 0, kernels::kConstantArrayBytes), "clear the constant array");
        m_constants = static_cast<unsigned char*>(address);
    }
}

void DeviceSet::resolveGrid(const experiment::PlannedKernel& kernel) {
    m_kernel = kernels::workloadLaunch(workloadOf(kernel), 1, kernel.threads,
                                       static_cast<std::size_t>(kernel.sharedBytes));
    const cudaError_t shared = kernels::allowShared(m_kernel.kernel, m_kernel.shared);
    if (shared == cudaSuccess)
        check(kernels::residentBlocks(m_kernel, m_resident), "ask for the kernel's occupancy");
    else
        cudaGetLastError(); // more than the device has: refused below, not sticky
    if (shared != cudaSuccess || m_resident == 0)
        throw Error(ErrorKind::Usage, "too-big",
                    "A block of " + std::to_string(kernel.threads) + " threads with " +
                        std::to_string(kernel.sharedBytes) + " B of shared memory does not fit this device.",
                    "Smaller kernel.threads or kernel.smem.");
    m_kernel.blocks = kernel.blocks.fill > 0 ? static_cast<std::uint32_t>(kernel.blocks.fill * m_resident)
                                             : kernel.blocks.blocks;
    const auto fillBytes = static_cast<std::uint64_t>(kernel.fillBytes);
    m_fill = kernels::fillLaunch(fillBytes, 1);
    check(kernels::residentBlocks(m_fill, m_fillResident), "ask for the fill kernel's occupancy");
    m_fill = kernels::fillLaunch(fillBytes, m_fillResident);
}

/// The limit applies to all launches of a kernel: use the highest that any of them needs.
void DeviceSet::resolveGrids(const experiment::Schedule& schedule) {
    std::int64_t most = 0;
    for (const experiment::PlannedGrid& grid : schedule.grids)
        most = std::max(most, grid.sharedBytes);
    for (const experiment::PlannedGrid& grid : schedule.grids) {
        Grid made{kernels::workloadLaunch(workloadOf(schedule.kernel), grid.blocks, grid.threads,
                                          static_cast<std::size_t>(grid.sharedBytes)),
                  0};
        check(kernels::allowShared(made.launch.kernel, static_cast<std::size_t>(most)),
              "allow a recorded kernel its shared memory");
        check(kernels::residentBlocks(made.launch, made.resident), "ask for a kernel's occupancy");
        m_grids.push_back(made);
    }
}

int DeviceSet::priority(std::uint32_t rank) const {
    int lowest = 0, highest = 0; // the numbers are in reverse order
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "ask for stream priorities");
    if (rank == kNoNumber)
        return 0;
    return static_cast<int>(std::min<std::int64_t>(lowest, std::int64_t{highest} + rank));
}

void refuseWhatDoesNotFit(const experiment::Schedule& schedule, const Devices& devices) {
    const auto each = static_cast<std::uint64_t>(schedule.deviceBytes) / devices.size();
    for (std::size_t d = devices.size(); d-- > 0;) {
        devices.use(static_cast<std::int32_t>(d));
        std::size_t free = 0, total = 0;
        check(cudaMemGetInfo(&free, &total), "ask for free memory");
        experiment::refuseIfTooBig(each + (streams(schedule.kernel) ? kStreamedBytes : 0), free, "device");
    }
    experiment::refuseIfTooBig(static_cast<std::uint64_t>(schedule.hostBytes), availableHostBytes(), "host");
}

} // namespace olab::cuda
