#include <olab/kernels/workload.h>

using namespace olab::kernels;

namespace {

__device__ std::uint64_t threadIndex() {
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ std::uint64_t threadCount() {
    return std::uint64_t{gridDim.x} * blockDim.x;
}

// The step before must have left `expected` (scratch: 0); what was used is marked, so that a step left out
// shows.
__device__ void consume(std::uint32_t* cell, std::uint32_t expected, std::uint32_t* errors) {
    if (*cell != expected && errors)
        atomicAdd(errors, 1u);
    *cell = kUsed;
}

__device__ void checkAndWrite(const WorkloadArgs& a) {
    const std::uint64_t t = threadIndex(), threads = threadCount();
    if (a.input && t < a.inputCount) {
        const std::uint64_t i = t * stepOf(a.inputCount, threads);
        consume(a.input + i, patternAt(i, a.seed), a.errors);
    }
    if (a.scratch && t < a.scratchCount)
        consume(a.scratch + t * stepOf(a.scratchCount, threads), 0, a.errors);
    if (a.output && t < a.outputCount) {
        const std::uint64_t i = t * stepOf(a.outputCount, threads);
        a.output[i] = resultOf(patternAt(i, a.seed));
    }
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

extern "C" __global__ void olab_null_kernel() {}

namespace olab::kernels {
namespace {

const void* function(Workload kind) {
    switch (kind) {
    case Workload::Fma:
        return reinterpret_cast<const void*>(olab_fma_kernel);
    case Workload::Stream:
        return reinterpret_cast<const void*>(olab_stream_kernel);
    default:
        return reinterpret_cast<const void*>(olab_null_kernel);
    }
}

} // namespace

// cudaLaunchKernel rather than <<<>>>: the error is this launch's own, without another API call in the trace.
cudaError_t launchWorkload(Workload kind, const WorkloadArgs& args, std::uint32_t blocks,
                           std::uint32_t threads, cudaStream_t stream) {
    WorkloadArgs copy = args;
    void* parameters[] = {&copy};
    return cudaLaunchKernel(function(kind), dim3(blocks), dim3(threads), parameters, 0, stream);
}

cudaError_t launchNull(cudaStream_t stream) {
    return cudaLaunchKernel(function(Workload::Null), dim3(1), dim3(1), nullptr, 0, stream);
}

cudaError_t residentBlocks(Workload kind, std::uint32_t threads, std::uint64_t& blocks) {
    int device = 0, perSm = 0, sms = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, function(kind),
                                                               static_cast<int>(threads), 0);
    blocks = static_cast<std::uint64_t>(perSm) * static_cast<std::uint64_t>(sms);
    return status;
}

} // namespace olab::kernels
