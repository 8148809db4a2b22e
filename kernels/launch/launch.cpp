#include <olab/kernels/launch.h>

namespace olab::kernels {

// cudaLaunchKernel rather than <<<>>>: the error is that of this launch, without another API call in the
// trace.
cudaError_t launch(const Launch& what, void** parameters, cudaStream_t stream) {
    return cudaLaunchKernel(what.kernel, dim3(what.blocks), dim3(what.threads), parameters, what.shared,
                            stream);
}

cudaError_t allowShared(const void* kernel, std::size_t shared) {
    constexpr std::size_t kWithoutAsking = 48u << 10;
    if (shared <= kWithoutAsking)
        return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(shared));
}

cudaError_t residentBlocks(const Launch& what, std::uint64_t& blocks) {
    int device = 0, perSm = 0, sms = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, what.kernel,
                                                               static_cast<int>(what.threads), what.shared);
    blocks = static_cast<std::uint64_t>(perSm) * static_cast<std::uint64_t>(sms);
    return status;
}

} // namespace olab::kernels
