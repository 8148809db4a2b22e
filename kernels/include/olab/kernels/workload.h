// The kernels an experiment launches: fixed work whose loop count is calibrated to a duration, never a spin
// to a deadline, so that a kernel that is held back or shares its SMs takes longer, as a user's kernel would.
// Each also checks its input, marks it as used, and writes its result at sampled places, so that a pipeline
// whose steps ran out of order gives wrong data. All functions only enqueue; none synchronises. Errors come
// back as cudaError_t.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace olab::kernels {

/// Fma: a chain of dependent fused multiply-adds (compute-bound). Stream: reads of a large buffer (bound by
/// device memory). Null: nothing.
enum class Workload : std::uint8_t { Fma, Stream, Null };

/// The value H2D copies bring at element `index`; never kUsed or 0.
constexpr __host__ __device__ std::uint32_t patternAt(std::uint64_t index, std::uint32_t seed) {
    return (static_cast<std::uint32_t>(index) * 2654435761u ^ seed * 0x9e3779b9u) | 1u;
}
/// What the kernel leaves behind in input and scratch once it has used them: the next copy and memset must
/// replace it.
inline constexpr std::uint32_t kUsed = 0xdeadbee0u;
/// What the kernel writes for an input of `value`.
constexpr __host__ __device__ std::uint32_t resultOf(std::uint32_t value) {
    return value * 3u + 1u;
}

/// One of `count` elements per thread: thread t touches element t * stepOf(count, threads), while that is
/// inside.
constexpr __host__ __device__ std::uint64_t stepOf(std::uint64_t count, std::uint64_t threads) {
    return count > threads ? count / threads : 1;
}

/// Buffers of 32-bit elements; a null pointer leaves that step's check out.
struct WorkloadArgs {
    std::uint32_t* input = nullptr; ///< what the H2D copy brought
    std::uint64_t inputCount = 0;
    std::uint32_t* scratch = nullptr; ///< what the memset zeroed
    std::uint64_t scratchCount = 0;
    std::uint32_t* output = nullptr; ///< what the D2H copy takes back
    std::uint64_t outputCount = 0;
    std::uint32_t seed = 0;
    std::uint32_t* errors = nullptr; ///< counts elements that were not what the previous step should have
                                     ///< left; null: do not count
    const float4* data = nullptr;    ///< Stream: the buffer read, `dataCount` elements (a power of two)
    std::uint64_t dataCount = 0;
    std::int64_t loops = 0; ///< the work: 32 FMAs, or one 16-byte read, per thread and loop
};

cudaError_t launchWorkload(Workload kind, const WorkloadArgs& args, std::uint32_t blocks,
                           std::uint32_t threads, cudaStream_t stream);
/// A kernel of one thread that does nothing, for the NULL stream.
cudaError_t launchNull(cudaStream_t stream);
/// Blocks of this kernel the current device holds at once.
cudaError_t residentBlocks(Workload kind, std::uint32_t threads, std::uint64_t& blocks);

} // namespace olab::kernels
