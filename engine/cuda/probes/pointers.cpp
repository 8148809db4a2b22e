// E23, E24 and the attributes of pointers: what the host may do with a device pointer, and a kernel with a
// host pointer. Host faults are caught; a device fault destroys the context, so it comes last.
#include "probe_tools.h"

#include <csetjmp>
#include <csignal>

namespace olab::cuda::probes {
namespace {

constexpr std::uint32_t kCount = 1 << 16, kValue = 7;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);

sigjmp_buf g_before;
void onFault(int) {
    siglongjmp(g_before, 1);
}

/// Whether reading one word there is a fault of the host's memory.
bool faults(const volatile std::uint32_t* at) {
    struct sigaction mine {
    }, segv{}, bus{};
    mine.sa_handler = onFault;
    sigaction(SIGSEGV, &mine, &segv);
    sigaction(SIGBUS, &mine, &bus);
    volatile bool fault = true;
    if (sigsetjmp(g_before, 1) == 0) {
        (void)*at;
        fault = false;
    }
    sigaction(SIGSEGV, &segv, nullptr);
    sigaction(SIGBUS, &bus, nullptr);
    return fault;
}

void hostReadsDevice(Numbers& numbers) {
    Memory device = Memory::device(kBytes), pinned = Memory::pinned(kBytes);
    const StreamHandle stream = nonBlocking();
    std::fill_n(pinned.as<std::uint32_t>(), kCount, kValue);
    check(cudaMemcpyAsync(device.as<void>(), pinned.as<void>(), kBytes, cudaMemcpyHostToDevice, stream.get()),
          "copy");
    numbers.add("host_reads_device.before_sync.fault", yes(faults(device.as<std::uint32_t>())));
    idle();
    numbers.add("host_reads_device.after_sync.fault", yes(faults(device.as<std::uint32_t>())));
    numbers.add("host_reads_pinned.fault", yes(faults(pinned.as<std::uint32_t>())));
}

double attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&value, which, device), "ask for an attribute");
    return value;
}

void attributes(Numbers& numbers) {
    Memory device = Memory::device(kBytes), pinned = Memory::pinned(kBytes);
    Memory pageable = Memory::pageable(kBytes);
    cudaPointerAttributes ofDevice{}, ofPinned{}, ofPageable{};
    check(cudaPointerGetAttributes(&ofDevice, device.as<void>()), "ask for a pointer");
    check(cudaPointerGetAttributes(&ofPinned, pinned.as<void>()), "ask for a pointer");
    check(cudaPointerGetAttributes(&ofPageable, pageable.as<void>()), "ask for a pointer");
    numbers.add("unified_addressing", attribute(cudaDevAttrUnifiedAddressing));
    numbers.add("pageable_memory_access", attribute(cudaDevAttrPageableMemoryAccess));
    numbers.add("pinned.same_pointer", yes(ofPinned.devicePointer == ofPinned.hostPointer));
    numbers.add("types_differ",
                yes(ofDevice.type == cudaMemoryTypeDevice && ofPinned.type == cudaMemoryTypeHost &&
                    ofPageable.type == cudaMemoryTypeUnregistered));
}

cudaError_t kernelWrites(std::uint32_t* at, const char* name, Numbers& numbers) {
    cudaGetLastError();
    cudaError_t status = kernels::launchWrite(at, kCount, kValue, 0, nullptr);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    numbers.add(std::string("kernel_writes_") + name + ".error", status);
    return status;
}

void hostMemoryForKernels(Numbers& numbers) {
    Memory pinned = Memory::pinned(kBytes, cudaHostAllocMapped);
    std::fill_n(pinned.as<std::uint32_t>(), kCount, 0u);
    if (kernelWrites(pinned.as<std::uint32_t>(), "mapped", numbers) == cudaSuccess)
        numbers.add("kernel_writes_mapped.right", shareOf(pinned.as<std::uint32_t>(), kCount, kValue));
    void* managed = nullptr;
    check(cudaMallocManaged(&managed, kBytes), "allocate managed memory");
    const Memory owner(managed, kBytes, [](void* p) { cudaFree(p); });
    if (kernelWrites(owner.as<std::uint32_t>(), "managed", numbers) == cudaSuccess)
        numbers.add("kernel_writes_managed.right", shareOf(owner.as<std::uint32_t>(), kCount, kValue));
}

} // namespace

void probePointers(Numbers& numbers) {
    attributes(numbers);
    hostReadsDevice(numbers);
    hostMemoryForKernels(numbers);
    Memory pageable = Memory::pageable(kBytes);
    std::fill_n(pageable.as<std::uint32_t>(), kCount, 0u);
    if (kernelWrites(pageable.as<std::uint32_t>(), "malloc", numbers) == cudaSuccess)
        numbers.add("kernel_writes_malloc.right", shareOf(pageable.as<std::uint32_t>(), kCount, kValue));
    cudaGetLastError();
}

// An invalid launch: which call reports it. Source text 001 advises against omitting the check.

void probeErrors(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    cudaGetLastError();
    kernels::launchImpossible(stream.get());
    numbers.add("bad_launch.later_sync.error", cudaStreamSynchronize(stream.get()));
    numbers.add("bad_launch.last_error", cudaGetLastError());
    numbers.add("bad_launch.last_error_again", cudaGetLastError());
    numbers.add("good_launch.last_error", [&] {
        Spin kernel(kUs);
        kernel.launch(stream.get());
        idle();
        return cudaGetLastError();
    }());
}

} // namespace olab::cuda::probes
