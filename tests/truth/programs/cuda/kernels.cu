#include "kernel_parts.cuh"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

__global__ void mixKernel(float* values, size_t count, int rounds) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        values[i] = settled(values[i], rounds);
}

__global__ void touchKernel(float* values) {
    values[threadIdx.x] = settled(values[threadIdx.x], 100);
}

__global__ void filterKernel(float* values, int count, Weights by, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        values[i] = filtered(values[i], by, rounds);
}

__global__ void advanceFieldKernel(const float* from, float* to, const float* settings, int rounds) {
    const int i = thread();
    to[i] = settled(from[i] + 1e-6f * settings[i % 4096], rounds);
}

} // namespace

void check(cudaError_t result, const char* call, int line) {
    if (result == cudaSuccess)
        return;
    std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(result));
    std::exit(1);
}

void workOnHost(int microseconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
    while (std::chrono::steady_clock::now() < end) {
    }
}

void mix(float* values, size_t count, int rounds, cudaStream_t stream) {
    mixKernel<<<512, threads, 0, stream>>>(values, count, rounds); // all SMs, with room for another such grid
}

void touch(float* values, cudaStream_t stream) {
    touchKernel<<<1, threads, 0, stream>>>(values);
}

void filter(float* values, size_t count, const Weights& by, int rounds, cudaStream_t stream) {
    filterKernel<<<64, threads, 0, stream>>>(values, int(count), by, rounds);
}

void advanceField(const float* from, float* to, size_t count, const float* settings, int rounds,
                  cudaStream_t stream) {
    advanceFieldKernel<<<blocksOf(count), threads, 0, stream>>>(from, to, settings, rounds);
}
