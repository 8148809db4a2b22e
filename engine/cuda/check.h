// check(cudaX(...)): turns a CUDA error into an Error that says what to do.
#pragma once

#include <olab/trace/error.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace olab::cuda {

/// "CUDA failed to find a device: no CUDA-capable device is detected (cudaErrorNoDevice)."
std::string cudaMessage(cudaError_t status, const char* doing);
/// @throws Error: NoDevice for a missing driver or device, DeviceFailed otherwise
void check(cudaError_t status, const char* doing);
enum class MemoryPlace : bool { Device, PinnedHost };
/// The same for an allocation of `bytes`: says how much was requested and what to lower.
void checkAllocation(cudaError_t status, MemoryPlace place, std::size_t bytes);
std::string cudaVersionText(int version); ///< 13000 -> "13.0"

} // namespace olab::cuda
