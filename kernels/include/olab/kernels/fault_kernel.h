// Kernels that fail, for fault simulation (OLAB_FAULT): the device really fails. Both only enqueue.
#pragma once

#include <cuda_runtime_api.h>

namespace olab::kernels {

/// Loads both, which may wait for the device and must not happen while a gate is closed.
cudaError_t loadFaultKernels();
/// Writes to an unmapped address: cudaErrorIllegalAddress from the next synchronisation on.
cudaError_t launchBadWrite(cudaStream_t stream);
/// Never ends until the process does.
cudaError_t launchEndless(cudaStream_t stream);

} // namespace olab::kernels
