// The first kernels of the twelfth set; the others are in cuda_twelfth_more_kernels.cu.
#include "twelfth.h"

#include "kernel_parts.cuh"

namespace twelfth {
namespace {

__device__ float worth(const Ratio& ratio) {
    return ratio.top ? *ratio.top / *ratio.bottom : ratio.value;
}

__device__ float blockSum(float value) {
    __shared__ float sums[threads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int n = threads / 2; n > 0; n /= 2) {
        if (int(threadIdx.x) < n)
            sums[threadIdx.x] += sums[threadIdx.x + n];
        __syncthreads();
    }
    return sums[0];
}

__global__ void beginSolveKernel(float* x, float* rest, float* way, int side) {
    const int i = thread();
    const float source = float(i / side % 64) * 0.01f + float(i % 97) * 0.001f;
    x[i] = 0;
    rest[i] = source;
    way[i] = source;
}

__global__ void multiplyKernel(const float* way, float* product, int side) {
    const int i = thread(), column = i % side, row = i / side;
    float value = 4.01f * way[i];
    value -= column > 0 ? way[i - 1] : 0;
    value -= column < side - 1 ? way[i + 1] : 0;
    value -= row > 0 ? way[i - side] : 0;
    value -= row < side - 1 ? way[i + side] : 0;
    product[i] = value;
}

__global__ void dotKernel(const float* a, const float* b, size_t count, float* parts) {
    float sum = 0;
    for (size_t i = size_t(thread()); i < count; i += size_t(gridDim.x) * threads)
        sum += a[i] * b[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = sum;
}

__global__ void dotTotalKernel(const float* parts, float* result) {
    float sum = 0;
    for (int n = int(threadIdx.x); n < dotParts; n += threads)
        sum += parts[n];
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        *result = sum;
}

__global__ void addScaledKernel(float* y, const float* x, Ratio factor, float sign) {
    const int i = thread();
    y[i] += sign * worth(factor) * x[i];
}

__global__ void turnKernel(float* way, const float* rest, Ratio factor) {
    const int i = thread();
    way[i] = rest[i] + worth(factor) * way[i];
}

__global__ void countBinsKernel(unsigned* bins, int samples, unsigned seed) {
    __shared__ unsigned own[threads];
    own[threadIdx.x] = 0;
    __syncthreads();
    unsigned state = unsigned(thread()) * 2654435761u + seed * 747796405u;
    for (int n = 0; n < samples; ++n) {
        state = state * 1664525u + 1013904223u;
        atomicAdd(&own[state >> 24], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void equalizeKernel(const unsigned* bins, float* table) {
    __shared__ unsigned below[threads];
    below[threadIdx.x] = bins[threadIdx.x];
    __syncthreads();
    for (int n = 1; n < threads; n *= 2) {
        const unsigned more = int(threadIdx.x) >= n ? below[threadIdx.x - n] : 0;
        __syncthreads();
        below[threadIdx.x] += more;
        __syncthreads();
    }
    table[threadIdx.x] = float(below[threadIdx.x]) / float(below[threads - 1]);
}

__constant__ const int acrossOf[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ const int downOf[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

__device__ float weightOf(int n) {
    return n == 0 ? 4.0f / 9 : n < 5 ? 1.0f / 9 : 1.0f / 36;
}

__global__ void fillLatticeKernel(float* lattice, int width, int places) {
    const int i = thread();
    for (int n = 0; n < 9; ++n)
        lattice[size_t(n) * places + i] = weightOf(n) * (1 + 0.01f * float(i % width % 32) / 32);
}

__global__ void collideKernel(float* lattice, int places) {
    const int i = thread();
    float parts[9], all = 0, across = 0, down = 0;
    for (int n = 0; n < 9; ++n) {
        parts[n] = lattice[size_t(n) * places + i];
        all += parts[n];
        across += parts[n] * float(acrossOf[n]);
        down += parts[n] * float(downOf[n]);
    }
    across /= all;
    down /= all;
    const float still = 1 - 1.5f * (across * across + down * down);
    for (int n = 0; n < 9; ++n) {
        const float along = 3 * (across * float(acrossOf[n]) + down * float(downOf[n]));
        const float rest = weightOf(n) * all * (still + along + 0.5f * along * along);
        lattice[size_t(n) * places + i] = parts[n] + 0.8f * (rest - parts[n]);
    }
}

__global__ void propagateKernel(const float* from, float* to, int width, int height) {
    const int i = thread(), x = i & (width - 1), y = i / width, places = width * height;
    for (int n = 0; n < 9; ++n) {
        const int left = (x - acrossOf[n]) & (width - 1), above = (y - downOf[n]) & (height - 1);
        to[size_t(n) * places + i] = from[size_t(n) * places + above * width + left];
    }
}

__global__ void bounceKernel(float* lattice, int width, int height) {
    const int x = thread(), y = blockIdx.y == 0 ? 0 : height - 1;
    float* const place = lattice + size_t(y) * width + x;
    const size_t places = size_t(width) * height;
    for (int n = 1; n < 7; n += n == 2 ? 3 : 1) {
        float &one = place[n * places], &opposite = place[(n + 2) * places];
        const float kept = one;
        one = opposite;
        opposite = kept;
    }
}

unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void beginSolve(float* x, float* rest, float* way, int side, cudaStream_t stream) {
    beginSolveKernel<<<blocksOf(size_t(side) * side), threads, 0, stream>>>(x, rest, way, side);
}

void multiply(const float* way, float* product, int side, cudaStream_t stream) {
    multiplyKernel<<<blocksOf(size_t(side) * side), threads, 0, stream>>>(way, product, side);
}

void dot(const float* a, const float* b, size_t count, float* parts, float* result, cudaStream_t stream) {
    dotKernel<<<dotParts, threads, 0, stream>>>(a, b, count, parts);
    dotTotalKernel<<<1, threads, 0, stream>>>(parts, result);
}

void addScaled(float* y, const float* x, Ratio factor, float sign, size_t count, cudaStream_t stream) {
    addScaledKernel<<<blocksOf(count), threads, 0, stream>>>(y, x, factor, sign);
}

void turn(float* way, const float* rest, Ratio factor, size_t count, cudaStream_t stream) {
    turnKernel<<<blocksOf(count), threads, 0, stream>>>(way, rest, factor);
}

void countBins(unsigned* bins, int samples, unsigned seed, cudaStream_t stream) {
    countBinsKernel<<<32, threads, 0, stream>>>(bins, samples, seed);
}

void equalize(const unsigned* bins, float* table, cudaStream_t stream) {
    equalizeKernel<<<1, threads, 0, stream>>>(bins, table);
}

void fillLattice(float* lattice, int width, int height, cudaStream_t stream) {
    fillLatticeKernel<<<blocksOf(size_t(width) * height), threads, 0, stream>>>(lattice, width,
                                                                                width * height);
}

void collide(float* lattice, int width, int height, cudaStream_t stream) {
    collideKernel<<<blocksOf(size_t(width) * height), threads, 0, stream>>>(lattice, width * height);
}

void propagate(const float* from, float* to, int width, int height, cudaStream_t stream) {
    propagateKernel<<<blocksOf(size_t(width) * height), threads, 0, stream>>>(from, to, width, height);
}

void bounce(float* lattice, int width, int height, cudaStream_t stream) {
    bounceKernel<<<dim3(blocksOf(width), 2), threads, 0, stream>>>(lattice, width, height);
}

} // namespace twelfth
