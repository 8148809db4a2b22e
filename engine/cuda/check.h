// check(cudaX(...)): turns a CUDA error into an Error that says what to do.
#pragma once

#include <olab/trace/error.h>

#include <cuda_runtime_api.h>

namespace olab {

/// @throws Error: NoDevice for a missing driver or device, DeviceFailed otherwise
void check(cudaError_t status, const char* doing);
std::string cudaVersionText(int version); ///< 13000 -> "13.0"

} // namespace olab
