#include "sixth.h"

namespace sixth {
namespace {

__device__ size_t place() {
    return size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ float changed(float value, float by, int rounds) {
    for (int n = 0; n < rounds; ++n)
        value = value * 0.9999f + by;
    return value;
}

/// Of all threads of the block; only the first one's is right.
__device__ float sumOfBlock(float value) {
    __shared__ float sums[threads / 32];
    for (int n = 16; n > 0; n /= 2)
        value += __shfl_down_sync(~0u, value, n);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0;
    if (threadIdx.x == 0)
        for (float part : sums)
            sum += part;
    return sum;
}

__global__ void smoothKernel(float* values, size_t count, int rounds) {
    for (size_t i = place(); i < count; i += size_t(gridDim.x) * blockDim.x)
        values[i] = changed(values[i], 0.001f, rounds);
}

__global__ void totalKernel(const float* values, int count, float* sum) {
    float own = 0;
    for (int i = int(threadIdx.x); i < count; i += threads)
        own += values[i];
    const float all = sumOfBlock(own);
    if (threadIdx.x == 0)
        *sum = all;
}

__global__ void listKernel(const float* points, int count, unsigned* list, size_t entries, int rounds) {
    const size_t i = place();
    if (i >= entries)
        return;
    const float value = changed(points[i % size_t(count)], 0.001f, rounds);
    list[i] = unsigned((i + size_t(value)) % size_t(count));
}

__global__ void pushKernel(float* points, int count, const unsigned* list, size_t entries, int rounds) {
    const size_t i = place();
    if (i >= entries)
        return;
    const float value = changed(points[list[i]], 0.001f, rounds);
    if (i < size_t(count))
        points[i] = value;
}

__global__ void advanceKernel(const float* from, float* to, const float* settings, int rounds) {
    const size_t i = place();
    to[i] = changed(from[i], 0.001f + 1e-6f * settings[i % 4096], rounds);
}

__global__ void sweepKernel(float* field, int rounds, float* changes) {
    const size_t i = place();
    const float before = field[i], after = changed(before, 0.001f, rounds);
    field[i] = after;
    const float change = sumOfBlock(fabsf(after - before));
    if (threadIdx.x == 0)
        changes[blockIdx.x] = change;
}

unsigned blocksOf(size_t count) {
    return unsigned((count + threads - 1) / threads);
}

} // namespace

void smooth(float* values, size_t count, int rounds, cudaStream_t stream) {
    smoothKernel<<<64, threads, 0, stream>>>(values, count, rounds);
}

void total(const float* values, int count, float* sum, cudaStream_t stream) {
    totalKernel<<<1, threads, 0, stream>>>(values, count, sum);
}

void listNeighbours(const float* points, int count, unsigned* list, size_t entries, int rounds,
                    cudaStream_t stream) {
    listKernel<<<blocksOf(entries), threads, 0, stream>>>(points, count, list, entries, rounds);
}

void push(float* points, int count, const unsigned* list, size_t entries, int rounds, cudaStream_t stream) {
    pushKernel<<<blocksOf(entries), threads, 0, stream>>>(points, count, list, entries, rounds);
}

void advanceField(const float* from, float* to, size_t count, const float* settings, int rounds,
                  cudaStream_t stream) {
    advanceKernel<<<blocksOf(count), threads, 0, stream>>>(from, to, settings, rounds);
}

void sweep(float* field, size_t count, int rounds, float* changes, cudaStream_t stream) {
    sweepKernel<<<blocksOf(count), threads, 0, stream>>>(field, rounds, changes);
}

} // namespace sixth
