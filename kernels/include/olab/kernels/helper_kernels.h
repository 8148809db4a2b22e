// Kernels that no op of a schedule launches: the start gate, those that fail, those of the probes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace olab::kernels {

// The start gate for devices that cannot wait on memory themselves: a kernel with one thread that polls a
// mapped flag, like nvbandwidth's spin kernel. It gives up after a time limit, so that it can never hang a
// device.

inline constexpr std::uint64_t kGateTimeLimitNs = 20'000'000'000;

/// Enqueues the kernel: it ends once *flag (mapped host memory) is not 0. Its name in a trace is
/// olab_gate_kernel.
cudaError_t launchGate(const volatile std::uint32_t* flag, cudaStream_t stream);

// Kernels that fail, for fault simulation (OLAB_FAULT): the device really fails. Both only enqueue.

/// Loads both, which may wait for the device and must not happen while a gate is closed.
cudaError_t loadFaultKernels();
/// Writes to an unmapped address: cudaErrorIllegalAddress from the next synchronisation on.
cudaError_t launchBadWrite(cudaStream_t stream);
/// Never ends until the process does.
cudaError_t launchEndless(cudaStream_t stream);

// Kernels of the probes (cuda/probes), which experiments made of options never launch. They write timestamps
// of their begin and end, from the device's clock, to mapped host memory, so that order and overlap are
// visible without a tracer. All only enqueue.

/// Of one launch, in mapped host memory; device clock, ns. 0: not yet.
struct Stamps {
    std::uint64_t begin = 0, end = 0;
};

/// Blocks of one thread that are busy for `ns`; the first one writes the stamps.
cudaError_t launchSpin(volatile Stamps* stamps, std::uint64_t ns, cudaStream_t stream,
                       std::uint32_t blocks = 1);
/// That kernel, for calls that set its attributes.
const void* spinKernel();
/// The same, launched as in the third example of source text 003: the stream is an argument of the kernel.
cudaError_t launchSpinLiterally(volatile Stamps* stamps, std::uint64_t ns, cudaStream_t argument);
/// After `ns` of work every element of `out` is twice that of `in`.
cudaError_t launchDouble(const std::uint32_t* in, std::uint32_t* out, std::uint32_t count, std::uint64_t ns,
                         volatile Stamps* stamps, cudaStream_t stream);
/// After `ns` of work all elements are `value`.
cudaError_t launchWrite(volatile std::uint32_t* at, std::uint32_t count, std::uint32_t value,
                        std::uint64_t ns, cudaStream_t stream);
/// Adds to *found how many elements are `value`.
cudaError_t launchCount(const std::uint32_t* at, std::uint32_t count, std::uint32_t value,
                        std::uint32_t* found, cudaStream_t stream);
/// Reads each element, works for `ns`, writes it times `factor` plus `addend`.
cudaError_t launchUpdate(std::uint32_t* at, std::uint32_t count, std::uint32_t factor, std::uint32_t addend,
                         std::uint64_t ns, cudaStream_t stream);
/// A `__constant__` array of kConstants elements; its address on the current device.
inline constexpr std::uint32_t kConstants = 1024;
cudaError_t probeConstants(void*& address);
/// Reads the first half of it again and again for `ns`; adds to *changed how often an element was not
/// `value`.
cudaError_t launchReadConstants(std::uint32_t value, std::uint32_t* changed, volatile Stamps* stamps,
                                std::uint64_t ns, cudaStream_t stream);
/// A launch that no device supports (too many threads in a block). @returns what <<<>>> returns: nothing
void launchImpossible(cudaStream_t stream);
/// Loads all of them, which may wait for the device and must not happen during a timed section.
cudaError_t loadProbeKernels();

} // namespace olab::kernels
