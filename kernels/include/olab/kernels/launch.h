// What to launch, apart from how: the runtime and the driver API launch the same kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace olab::kernels {

struct Launch {
    const void* kernel = nullptr; ///< as cudaLaunchKernel takes it
    std::uint32_t blocks = 1, threads = 1;
    std::size_t shared = 0; ///< dynamic shared memory per block, bytes
};

/// By the runtime. Only enqueues; the error is this launch's own. `parameters`: as of cudaLaunchKernel.
cudaError_t launch(const Launch& what, void** parameters, cudaStream_t stream);
/// Lets a block have that much dynamic shared memory on the current device (more than 48 KiB must be asked
/// for).
cudaError_t allowShared(const void* kernel, std::size_t shared);
/// Blocks of this kernel the current device holds at once.
cudaError_t residentBlocks(const Launch& what, std::uint64_t& blocks);

} // namespace olab::kernels
