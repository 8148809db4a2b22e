#include "eleventh.h"

#include "kernel_parts.cuh"

namespace eleventh {
namespace {

__device__ float between(unsigned state) {
    return __uint_as_float((state >> 9) | 0x3f800000u) - 1.5f;
}

__global__ void followKernel(float* prices, int moments, float spread) {
    const int i = thread();
    unsigned state = unsigned(i) * 2654435761u + 12345u;
    float price = 0.5f * prices[i];
    for (int n = 0; n < moments; ++n) {
        state = state * 1664525u + 1013904223u;
        price += spread * between(state);
    }
    prices[i] = price;
}

__global__ void gatherKernel(float* prices, int count) {
    const int i = thread();
    const int paths = int(gridDim.x * blockDim.x);
    float sum = 0;
    for (int n = 0; n < count; ++n)
        sum += prices[n * paths + i];
    prices[i] = sum / float(count);
}

__global__ void softenKernel(const float* from, float* to, int width, int height, int radius) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        const float* const row = from + size_t(min(max(y + dy, 0), height - 1)) * width;
        for (int dx = -radius; dx <= radius; ++dx)
            sum += row[min(max(x + dx, 0), width - 1)];
    }
    const float side = float(2 * radius + 1);
    to[size_t(y) * width + x] = sum / (side * side) + 0.001f * float(x % 7);
}

__global__ void profileKernel(const float* picture, int width, float* rows) {
    __shared__ float sums[threads];
    const float* const row = picture + size_t(blockIdx.x) * width;
    float sum = 0;
    for (int x = int(threadIdx.x); x < width; x += threads)
        sum += row[x];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int n = threads / 2; n > 0; n /= 2) {
        if (int(threadIdx.x) < n)
            sums[threadIdx.x] += sums[threadIdx.x + n];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        rows[blockIdx.x] = sums[0];
}

__global__ void pullKernel(const float4* atoms, const int* list, int neighbours, float4* forces, int count) {
    const int i = thread();
    const float4 own = atoms[i];
    float x = 0, y = 0, z = 0;
    for (int n = 0; n < neighbours; ++n) {
        const float4 other = atoms[(i + list[n]) & (count - 1)];
        const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.1f);
        const float strength = other.w * inverse * inverse * inverse;
        x += strength * dx;
        y += strength * dy;
        z += strength * dz;
    }
    forces[i] = {x, y, z, 0};
}

__global__ void moveKernel(float4* atoms, const float4* forces, float* energies) {
    const int i = thread();
    const float4 force = forces[i];
    float4 own = atoms[i];
    own.x = 0.999f * own.x + 1e-5f * force.x;
    own.y = 0.999f * own.y + 1e-5f * force.y;
    own.z = 0.999f * own.z + 1e-5f * force.z;
    atoms[i] = own;
    if (threadIdx.x == 0)
        energies[blockIdx.x] = force.x * force.x + force.y * force.y + force.z * force.z;
}

__global__ void placeKernel(float4* atoms, int* list, int neighbours) {
    const int i = thread();
    atoms[i] = {__sinf(float(i)), __cosf(float(3 * i)), __sinf(float(7 * i)), 0.001f};
    if (i < neighbours)
        list[i] = 1 + 3 * i;
}

__global__ void surviveKernel(const float* before, float* after, const float* metrics, int moment) {
    const int i = thread();
    const float cost = metrics[(moment * 1024 + i) & 0xfffff];
    const float one = before[(2 * i) & 1023] + cost, other = before[(2 * i + 1) & 1023] - cost;
    after[i] = 0.999f * fminf(one, other);
}

__global__ void likelyKernel(float* metrics, int rounds) {
    const int i = thread();
    float value = metrics[i] + 0.001f * float(i % 13);
    for (int n = 0; n < rounds; ++n)
        value = value * 0.9999f + 0.0001f;
    metrics[i] = value;
}

__global__ void depositKernel(unsigned* cells, unsigned mask, int moments, int number) {
    unsigned state = unsigned(thread()) * 747796405u + unsigned(number) * 2891336453u;
    float where = 0;
    for (int n = 0; n < moments; ++n) {
        state = state * 1664525u + 1013904223u;
        where += between(state);
        if (n % 4096 == 0)
            atomicAdd(&cells[(state ^ __float_as_uint(where)) & mask], 1u);
    }
    atomicAdd(&cells[__float_as_uint(where) & mask], 1u);
}

__global__ void countedKernel(const unsigned* cells, unsigned* sum) {
    atomicAdd(sum, cells[thread()]);
}

__global__ void peaksKernel(const float* samples, int count, int rounds, float* found, size_t pitch) {
    __shared__ float best[threads];
    const float* const own = samples + size_t(blockIdx.x) * count;
    float largest = 0;
    for (int n = int(threadIdx.x); n < count; n += threads) {
        float value = own[n] + 0.01f * float((n * 7 + int(blockIdx.x)) % 101);
        for (int k = 0; k < rounds; ++k)
            value = value * 0.9999f + 0.0001f;
        largest = fmaxf(largest, value);
    }
    best[threadIdx.x] = largest;
    __syncthreads();
    for (int n = threads / 2; n >= 16; n /= 2) {
        if (int(threadIdx.x) < n)
            best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + n]);
        __syncthreads();
    }
    if (threadIdx.x < 16)
        found[blockIdx.x * pitch + threadIdx.x] = best[threadIdx.x];
}

} // namespace

void follow(float* prices, int blocks, int moments, float spread, cudaStream_t stream) {
    followKernel<<<unsigned(blocks), threads, 0, stream>>>(prices, moments, spread);
}

void gather(float* prices, int blocks, int count, cudaStream_t stream) {
    gatherKernel<<<unsigned(blocks), threads, 0, stream>>>(prices, count);
}

void soften(const float* from, float* to, int width, int height, int radius, cudaStream_t stream) {
    const dim3 block(32, 8), grid(unsigned(width + 31) / 32, unsigned(height + 7) / 8);
    softenKernel<<<grid, block, 0, stream>>>(from, to, width, height, radius);
}

void profile(const float* picture, int width, int height, float* rows, cudaStream_t stream) {
    profileKernel<<<unsigned(height), threads, 0, stream>>>(picture, width, rows);
}

void pull(const float4* atoms, const int* list, int neighbours, float4* forces, int count,
          cudaStream_t stream) {
    pullKernel<<<unsigned(count / threads), threads, 0, stream>>>(atoms, list, neighbours, forces, count);
}

void move(float4* atoms, const float4* forces, int count, float* energies, cudaStream_t stream) {
    moveKernel<<<unsigned(count / threads), threads, 0, stream>>>(atoms, forces, energies);
}

void place(float4* atoms, int count, int* list, int neighbours, cudaStream_t stream) {
    placeKernel<<<unsigned(count / threads), threads, 0, stream>>>(atoms, list, neighbours);
}

void survive(const float* before, float* after, const float* metrics, int moment, cudaStream_t stream) {
    surviveKernel<<<1024 / threads, threads, 0, stream>>>(before, after, metrics, moment);
}

void likely(float* metrics, size_t count, int rounds, cudaStream_t stream) {
    likelyKernel<<<unsigned(count / threads), threads, 0, stream>>>(metrics, rounds);
}

void deposit(unsigned* cells, unsigned mask, int moments, int number, cudaStream_t stream) {
    depositKernel<<<132, threads, 0, stream>>>(cells, mask, moments, number);
}

void counted(const unsigned* cells, unsigned* sum, cudaStream_t stream) {
    countedKernel<<<(1 << 16) / threads, threads, 0, stream>>>(cells, sum);
}

void peaks(const float* samples, int channels, int count, int rounds, float* found, size_t pitch,
           cudaStream_t stream) {
    peaksKernel<<<unsigned(channels), threads, 0, stream>>>(samples, count, rounds, found, pitch);
}

} // namespace eleventh
