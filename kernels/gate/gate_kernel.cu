#include <olab/kernels/gate_kernel.h>

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
