#include "programs.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

__device__ float mixed(float value, int rounds) {
    for (int k = 0; k < rounds; ++k)
        value = value * 0.9999f + 0.001f;
    return value;
}

__global__ void mixKernel(float* values, size_t count, int rounds) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        values[i] = mixed(values[i], rounds);
}

__global__ void touchKernel(float* values) {
    values[threadIdx.x] = mixed(values[threadIdx.x], 100);
}

template <int N>
__global__ void mixKernelNumber(float* values, size_t count, int rounds) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        values[i] = mixed(values[i], rounds) + float(N);
}

using Kernel = void (*)(float*, size_t, int);

template <int... N>
Kernel numbered(int which, std::integer_sequence<int, N...>) {
    static const Kernel kernels[] = {mixKernelNumber<N>...};
    return kernels[which];
}

constexpr int threads = 256;
constexpr int blocks = 512; // all SMs, with room for another grid of this kind

} // namespace

void check(cudaError_t result, const char* call, int line) {
    if (result == cudaSuccess)
        return;
    std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(result));
    std::exit(1);
}

void mix(float* values, size_t count, int rounds, cudaStream_t stream) {
    mixKernel<<<blocks, threads, 0, stream>>>(values, count, rounds);
}

void touch(float* values, cudaStream_t stream) {
    touchKernel<<<1, threads, 0, stream>>>(values);
}

void mixOneOf64(int which, float* values, size_t count, int rounds, cudaStream_t stream) {
    numbered(which % 64, std::make_integer_sequence<int, 64>())<<<blocks, threads, 0, stream>>>(values, count,
                                                                                                rounds);
}

void workOnHost(int microseconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
    while (std::chrono::steady_clock::now() < end) {
    }
}
