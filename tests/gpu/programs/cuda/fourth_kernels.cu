#include "fourth.h"

namespace fourth {
namespace {

constexpr int threads = 256;
constexpr int blocks = 64;

__constant__ Weights symbol;

__device__ size_t thread() {
    return size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ size_t threadsOfGrid() {
    return size_t(gridDim.x) * blockDim.x;
}

__device__ float filtered(float value, const Weights& by, int rounds) {
    for (int n = 0; n < rounds; ++n) {
#pragma unroll
        for (int k = 0; k < weights; ++k)
            value = value * by.of[k] + 0.001f;
    }
    return value;
}

__global__ void filterKernel(float* values, size_t count, Weights by, int rounds) {
    for (size_t i = thread(); i < count; i += threadsOfGrid())
        values[i] = filtered(values[i], by, rounds);
}

__global__ void filterBySymbolKernel(float* values, size_t count, int rounds) {
    for (size_t i = thread(); i < count; i += threadsOfGrid())
        values[i] = filtered(values[i], symbol, rounds);
}

__global__ void renderKernel(float* pixels, size_t count, const float* scene, const float* by, int rounds) {
    for (size_t i = thread(); i < count; i += threadsOfGrid()) {
        float light = scene[i * samples];
        const float factor = 0.9f + 0.01f * by[i % settings];
        for (int n = 0; n < rounds; ++n)
            light = light * factor + 0.001f;
        pixels[i] = light;
    }
}

__global__ void voteKernel(unsigned* accumulators, unsigned count, int rounds) {
    for (size_t i = thread(); i < voices; i += threadsOfGrid()) {
        unsigned state = unsigned(i) + 1;
        for (int n = 0; n < rounds; ++n)
            state = state * 1664525u + 1013904223u;
        atomicAdd(&accumulators[state % count], 1u);
    }
}

} // namespace

void filter(float* values, size_t count, const Weights& by, int rounds, cudaStream_t stream) {
    filterKernel<<<blocks, threads, 0, stream>>>(values, count, by, rounds);
}

void filterBySymbol(float* values, size_t count, int rounds, cudaStream_t stream) {
    filterBySymbolKernel<<<blocks, threads, 0, stream>>>(values, count, rounds);
}

void setWeights(const Weights& by) {
    CHECK(cudaMemcpyToSymbol(symbol, &by, sizeof by));
}

void render(float* pixels, size_t count, const float* scene, const float* by, int rounds,
            cudaStream_t stream) {
    renderKernel<<<blocks, threads, 0, stream>>>(pixels, count, scene, by, rounds);
}

void vote(unsigned* accumulators, unsigned count, int rounds, cudaStream_t stream) {
    voteKernel<<<blocks, threads, 0, stream>>>(accumulators, count, rounds);
}

} // namespace fourth
