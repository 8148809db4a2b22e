#include <olab/kernels/fault_kernel.h>

#include <cstdint>

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
