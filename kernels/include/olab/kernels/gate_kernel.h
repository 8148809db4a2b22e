// The start gate for devices that cannot wait on memory themselves: a kernel with one thread that polls a
// mapped flag, like nvbandwidth's spin kernel. It gives up after a time limit, so that it can never hang a
// device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace olab::kernels {

inline constexpr std::uint64_t kGateTimeLimitNs = 20'000'000'000;

/// Enqueues the kernel: it ends once *flag (mapped host memory) is not 0. Its name in a trace is
/// olab_gate_kernel.
cudaError_t launchGate(const volatile std::uint32_t* flag, cudaStream_t stream);

} // namespace olab::kernels
