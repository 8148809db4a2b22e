#include <olab/kernels/helper_kernels.h>

#include <cstdint>

namespace {

__device__ std::uint64_t globalNs() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

} // namespace

extern "C" __global__ void olab_gate_kernel(const volatile std::uint32_t* flag, std::uint64_t limit) {
    const std::uint64_t start = globalNs();
    while (*flag == 0 && globalNs() - start < limit)
        __nanosleep(200);
}

namespace olab::kernels {

cudaError_t launchGate(const volatile std::uint32_t* flag, cudaStream_t stream) {
    olab_gate_kernel<<<1, 1, 0, stream>>>(flag, kGateTimeLimitNs);
    return cudaGetLastError();
}

} // namespace olab::kernels

extern "C" __global__ void olab_bad_write_kernel(volatile std::uint32_t* nowhere) {
    *nowhere = 1;
}

// The clock is read so that the loop has an effect and cannot be optimized away.
extern "C" __global__ void olab_endless_kernel() {
    std::uint64_t t = 1;
    while (t != 0) {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    }
}

namespace olab::kernels {

cudaError_t loadFaultKernels() {
    cudaFuncAttributes ignored{};
    const cudaError_t status = cudaFuncGetAttributes(&ignored, olab_bad_write_kernel);
    return status == cudaSuccess ? cudaFuncGetAttributes(&ignored, olab_endless_kernel) : status;
}

cudaError_t launchBadWrite(cudaStream_t stream) {
    constexpr std::uintptr_t kUnmapped = 0x1000; // aligned, so that only the address is wrong
    olab_bad_write_kernel<<<1, 1, 0, stream>>>(reinterpret_cast<volatile std::uint32_t*>(kUnmapped));
    return cudaGetLastError();
}

cudaError_t launchEndless(cudaStream_t stream) {
    olab_endless_kernel<<<1, 1, 0, stream>>>();
    return cudaGetLastError();
}

} // namespace olab::kernels

using olab::kernels::Stamps;

namespace {

__device__ std::uint64_t deviceNs() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void work(std::uint64_t ns) {
    const std::uint64_t start = deviceNs();
    while (deviceNs() - start < ns) {
    }
}

constexpr std::uint32_t kThreads = 256;

std::uint32_t blocksFor(std::uint32_t count) {
    return (count + kThreads - 1) / kThreads;
}

} // namespace

extern "C" __global__ void olab_spin_kernel(volatile Stamps* stamps, std::uint64_t ns) {
    if (blockIdx.x != 0)
        return work(ns);
    stamps->begin = deviceNs();
    __threadfence_system();
    work(ns);
    stamps->end = deviceNs();
    __threadfence_system();
}

extern "C" __global__ void olab_literal_kernel(volatile Stamps* stamps, std::uint64_t ns, cudaStream_t) {
    stamps->begin = deviceNs();
    work(ns);
    stamps->end = deviceNs();
    __threadfence_system();
}

extern "C" __global__ void olab_double_kernel(const std::uint32_t* in, std::uint32_t* out,
                                              std::uint32_t count, std::uint64_t ns,
                                              volatile Stamps* stamps) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        stamps->begin = deviceNs();
    work(ns);
    if (i < count)
        out[i] = 2 * in[i];
    if (i == 0) {
        stamps->end = deviceNs();
        __threadfence_system();
    }
}

extern "C" __global__ void olab_write_kernel(volatile std::uint32_t* at, std::uint32_t count,
                                             std::uint32_t value, std::uint64_t ns) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    work(ns);
    if (i < count)
        at[i] = value;
}

extern "C" __global__ void olab_count_kernel(const std::uint32_t* at, std::uint32_t count,
                                             std::uint32_t value, std::uint32_t* found) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && at[i] == value)
        atomicAdd(found, 1u);
}

extern "C" __global__ void olab_update_kernel(volatile std::uint32_t* at, std::uint32_t count,
                                              std::uint32_t factor, std::uint32_t addend, std::uint64_t ns) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t before = i < count ? at[i] : 0;
    work(ns);
    if (i < count)
        at[i] = before * factor + addend;
}

__constant__ std::uint32_t olab_probe_constants[olab::kernels::kConstants];

extern "C" __global__ void olab_constants_kernel(std::uint32_t value, std::uint32_t* changed,
                                                 volatile Stamps* stamps, std::uint64_t ns) {
    stamps->begin = deviceNs();
    __threadfence_system();
    std::uint32_t wrong = 0;
    const std::uint64_t start = deviceNs();
    for (std::uint32_t i = 0; deviceNs() - start < ns; i = (i + 1) % (olab::kernels::kConstants / 2))
        wrong += olab_probe_constants[i] == value ? 0 : 1;
    atomicAdd(changed, wrong);
    stamps->end = deviceNs();
    __threadfence_system();
}

namespace olab::kernels {

cudaError_t probeConstants(void*& address) {
    return cudaGetSymbolAddress(&address, olab_probe_constants);
}

cudaError_t launchReadConstants(std::uint32_t value, std::uint32_t* changed, volatile Stamps* stamps,
                                std::uint64_t ns, cudaStream_t stream) {
    olab_constants_kernel<<<1, 1, 0, stream>>>(value, changed, stamps, ns);
    return cudaGetLastError();
}

cudaError_t launchSpin(volatile Stamps* stamps, std::uint64_t ns, cudaStream_t stream, std::uint32_t blocks) {
    olab_spin_kernel<<<blocks, 1, 0, stream>>>(stamps, ns);
    return cudaGetLastError();
}

const void* spinKernel() {
    return reinterpret_cast<const void*>(olab_spin_kernel);
}

cudaError_t launchSpinLiterally(volatile Stamps* stamps, std::uint64_t ns, cudaStream_t argument) {
    olab_literal_kernel<<<1, 1>>>(stamps, ns, argument);
    return cudaGetLastError();
}

cudaError_t launchDouble(const std::uint32_t* in, std::uint32_t* out, std::uint32_t count, std::uint64_t ns,
                         volatile Stamps* stamps, cudaStream_t stream) {
    olab_double_kernel<<<blocksFor(count), kThreads, 0, stream>>>(in, out, count, ns, stamps);
    return cudaGetLastError();
}

cudaError_t launchWrite(volatile std::uint32_t* at, std::uint32_t count, std::uint32_t value,
                        std::uint64_t ns, cudaStream_t stream) {
    olab_write_kernel<<<blocksFor(count), kThreads, 0, stream>>>(at, count, value, ns);
    return cudaGetLastError();
}

cudaError_t launchCount(const std::uint32_t* at, std::uint32_t count, std::uint32_t value,
                        std::uint32_t* found, cudaStream_t stream) {
    olab_count_kernel<<<blocksFor(count), kThreads, 0, stream>>>(at, count, value, found);
    return cudaGetLastError();
}

cudaError_t launchUpdate(std::uint32_t* at, std::uint32_t count, std::uint32_t factor, std::uint32_t addend,
                         std::uint64_t ns, cudaStream_t stream) {
    olab_update_kernel<<<blocksFor(count), kThreads, 0, stream>>>(at, count, factor, addend, ns);
    return cudaGetLastError();
}

void launchImpossible(cudaStream_t stream) {
    constexpr std::uint32_t kTooMany = 4096;
    olab_spin_kernel<<<1, kTooMany, 0, stream>>>(nullptr, 0);
}

cudaError_t loadProbeKernels() {
    const void* const all[] = {reinterpret_cast<const void*>(olab_spin_kernel),
                               reinterpret_cast<const void*>(olab_literal_kernel),
                               reinterpret_cast<const void*>(olab_double_kernel),
                               reinterpret_cast<const void*>(olab_write_kernel),
                               reinterpret_cast<const void*>(olab_count_kernel),
                               reinterpret_cast<const void*>(olab_update_kernel),
                               reinterpret_cast<const void*>(olab_constants_kernel)};
    for (const void* kernel : all) {
        cudaFuncAttributes ignored{};
        if (const cudaError_t status = cudaFuncGetAttributes(&ignored, kernel); status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

} // namespace olab::kernels
