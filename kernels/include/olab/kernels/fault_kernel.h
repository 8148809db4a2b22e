// Kernels that fail, for rehearsals (OLAB_FAULT): the failure is the device's own, not an imitation of it.
// Both only enqueue.
#pragma once

#include <cuda_runtime_api.h>

namespace olab::kernels {

/// Loads both, which may wait for the device and must not happen while a gate is closed.
cudaError_t loadFaultKernels();
/// Writes where nothing is mapped: cudaErrorIllegalAddress at the next synchronisation and ever after.
cudaError_t launchBadWrite(cudaStream_t stream);
/// Never ends; the end of the process ends it.
cudaError_t launchEndless(cudaStream_t stream);

} // namespace olab::kernels
