// What to launch, independent of how: the runtime and the driver API launch the same kernels.
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

/// Launches with the runtime. Only enqueues; the error is that of this launch. `parameters`: as for
/// cudaLaunchKernel.
cudaError_t launch(const Launch& what, void** parameters, cudaStream_t stream);
/// Allows a block that much dynamic shared memory on the current device (more than 48 KiB must be requested).
cudaError_t allowShared(const void* kernel, std::size_t shared);
/// Blocks of this kernel that the current device holds at once.
cudaError_t residentBlocks(const Launch& what, std::uint64_t& blocks);

} // namespace olab::kernels
