#include <olab/kernels/workload.h>

using namespace olab::kernels;

__constant__ std::uint32_t olab_constants[kConstantArrayBytes / sizeof(std::uint32_t)];

namespace {

__device__ std::uint64_t threadIndex() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ std::uint64_t threadCount() {
    return std::uint64_t{gridDim.x} * blockDim.x;
}

// The step before must have left `expected` (scratch: 0); used data is marked, so that a missing step is
// detected.
__device__ void consume(std::uint32_t* cell, std::uint32_t expected, std::uint32_t* errors) {
    if (*cell != expected && errors)
        atomicAdd(errors, 1u);
    *cell = kUsed;
}

// Volatile: the bus must be crossed even if errors are not counted.
__device__ void readInPlace(const WorkloadArgs& a) {
    const volatile std::uint32_t* input = a.inPlaceInput;
    std::uint32_t wrong = 0;
    for (std::uint64_t i = threadIndex(); i < a.inPlaceInputCount; i += threadCount())
        wrong += input[i] != patternAt(i, a.seed);
    if (wrong > 0 && a.errors)
        atomicAdd(a.errors, wrong);
}

// It cannot be marked as used: constants are read-only here, and cached.
__device__ void checkConstants(const WorkloadArgs& a) {
    const std::uint64_t t = threadIndex();
    if (t >= a.constantCount)
        return;
    const std::uint64_t i = t * stepOf(a.constantCount, threadCount());
    if (olab_constants[a.constantFirst + i] != patternAt(i, a.seed) && a.errors)
        atomicAdd(a.errors, 1u);
}

__device__ void writeResults(const WorkloadArgs& a) {
    const std::uint64_t t = threadIndex(), threads = threadCount();
    if (a.output && t < a.outputCount) {
        const std::uint64_t i = t * stepOf(a.outputCount, threads);
        a.output[i] = resultOf(patternAt(i, a.seed), a.pass);
    }
    for (std::uint64_t i = t; i < a.inPlaceOutputCount; i += threads)
        a.inPlaceOutput[i] = resultOf(patternAt(i, a.seed), a.pass);
}

__device__ void checkAndWrite(const WorkloadArgs& a) {
    const std::uint64_t t = threadIndex(), threads = threadCount();
    if (a.input && t < a.inputCount) {
        const std::uint64_t i = t * stepOf(a.inputCount, threads);
        consume(a.input + i, patternAt(i, a.seed), a.errors);
    }
    if (a.scratch && t < a.scratchCount)
        consume(a.scratch + t * stepOf(a.scratchCount, threads), 0, a.errors);
    readInPlace(a);
    checkConstants(a);
    writeResults(a);
}

} // namespace

// Loop-carried through x, so the compiler can neither shorten nor drop it; the branch at the end is never
// taken.
extern "C" __global__ void olab_fma_kernel(WorkloadArgs a) {
    checkAndWrite(a);
    float x = static_cast<float>(threadIdx.x) * 1e-6f;
    for (std::int64_t i = 0; i < a.loops; ++i) {
#pragma unroll
        for (int k = 0; k < 32; ++k)
            x = __fmaf_rn(x, 0.999999f, 1e-6f);
    }
    if (x == 12345.678f && a.errors)
        atomicAdd(a.errors, 1u);
}

// Neighbouring threads read neighbouring 16 bytes; the whole grid strides over a buffer larger than the L2
// cache.
extern "C" __global__ void olab_stream_kernel(WorkloadArgs a) {
    checkAndWrite(a);
    const std::uint64_t mask = a.dataCount - 1, stride = threadCount();
    std::uint64_t at = threadIndex();
    float x = 0;
#pragma unroll 4
    for (std::int64_t i = 0; i < a.loops; ++i, at += stride) {
        const float4 v = __ldcs(a.data + (at & mask));
        x += v.x + v.y + v.z + v.w;
    }
    if (x == 12345.678f && a.errors)
        atomicAdd(a.errors, 1u);
}

namespace olab::kernels {

const void* workloadKernel(Workload kind) {
    return kind == Workload::Fma ? reinterpret_cast<const void*>(olab_fma_kernel)
                                 : reinterpret_cast<const void*>(olab_stream_kernel);
}

Launch workloadLaunch(Workload kind, std::uint32_t blocks, std::uint32_t threads, std::size_t shared) {
    return {workloadKernel(kind), blocks, threads, shared};
}

cudaError_t constantArray(void*& address) {
    return cudaGetSymbolAddress(&address, olab_constants);
}

} // namespace olab::kernels
