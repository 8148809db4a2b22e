// The kernels an experiment launches: fixed work whose loop count is calibrated to a duration, never a spin
// to a deadline, so that a kernel that is delayed or shares its SMs takes longer, as a user's kernel would.
// Each also checks its input, marks it as used, and writes its result at sampled places, so that a pipeline
// whose steps ran out of order gives wrong data; host memory used in place is read or written completely.
#pragma once

#include <olab/kernels/launch.h>

#include <cstdint>

namespace olab::kernels {

/// Fma: a chain of dependent fused multiply-adds (compute-bound). Stream: reads of a large buffer (bound by
/// device memory).
enum class Workload : std::uint8_t { Fma, Stream };

/// The value that H2D copies bring at element `index`; never kUsed or 0.
constexpr __host__ __device__ std::uint32_t patternAt(std::uint64_t index, std::uint32_t seed) {
    return (static_cast<std::uint32_t>(index) * 2654435761u ^ seed * 0x9e3779b9u) | 1u;
}
/// What the kernel leaves in input and scratch after using them: the next copy and memset must replace it.
inline constexpr std::uint32_t kUsed = 0xdeadbee0u;
/// What the kernel of pass `pass` writes for an input of `value`: a result of an earlier pass counts as
/// wrong.
constexpr __host__ __device__ std::uint32_t resultOf(std::uint32_t value, std::uint32_t pass) {
    return value * 3u + 1u + pass * 0x01000193u;
}

/// One of `count` elements per thread: thread t accesses element t * stepOf(count, threads), if that is
/// inside.
constexpr __host__ __device__ std::uint64_t stepOf(std::uint64_t count, std::uint64_t threads) {
    return count > threads ? count / threads : 1;
}

/// The `__constant__` array for copies: its size, and the alignment of its slices.
inline constexpr std::size_t kConstantArrayBytes = (48u << 10) + 512;
inline constexpr std::size_t kConstantAlignment = sizeof(std::uint32_t);

/// Buffers of 32-bit elements; a null pointer (or a count of 0) omits that step's check.
struct WorkloadArgs {
    std::uint32_t* input = nullptr; ///< what the H2D copy brought
    std::uint64_t inputCount = 0;
    const std::uint32_t* inPlaceInput = nullptr; ///< host memory: read and checked whole, not marked
    std::uint64_t inPlaceInputCount = 0;
    std::uint32_t constantFirst = 0, constantCount = 0; ///< a slice of the constant array, in elements
    std::uint32_t* scratch = nullptr;                   ///< what the memset zeroed
    std::uint64_t scratchCount = 0;
    std::uint32_t* output = nullptr; ///< what the D2H copy takes back
    std::uint64_t outputCount = 0;
    std::uint32_t* inPlaceOutput = nullptr; ///< host memory: all of it is written
    std::uint64_t inPlaceOutputCount = 0;
    std::uint32_t seed = 0;
    std::uint32_t pass = 0;
    std::uint32_t* errors = nullptr; ///< counts elements that differ from what the previous step should have
                                     ///< left; null: do not count
    const float4* data = nullptr;    ///< Stream: the buffer read, `dataCount` elements (a power of two)
    std::uint64_t dataCount = 0;
    std::int64_t loops = 0; ///< the work: 32 FMAs, or one 16-byte read, per thread and loop
};

const void* workloadKernel(Workload kind);
/// Launches take a pointer to a WorkloadArgs as their only parameter.
Launch workloadLaunch(Workload kind, std::uint32_t blocks, std::uint32_t threads, std::size_t shared);
/// The address of the constant array on the current device.
cudaError_t constantArray(void*& address);

} // namespace olab::kernels
