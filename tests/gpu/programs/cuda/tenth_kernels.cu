#include "tenth.h"

namespace tenth {
namespace {

__device__ unsigned calls;

__global__ void waveKernel(const float* now, float* next, Box box) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
    const int z = int(blockIdx.z);
    if (x < 4 || y < 4 || z < 4 || x >= box.across - 4 || y >= box.down - 4 || z >= box.planes - 4)
        return;
    constexpr float weights[] = {1.6f, -0.2f, 0.0254f, -0.0018f};
    const size_t row = size_t(box.across), plane = row * box.down, at = z * plane + y * row + x;
    const float own = now[at];
    float pull = -8.541f * own;
#pragma unroll
    for (int n = 1; n <= 4; ++n)
        pull += weights[n - 1] * (now[at - n] + now[at + n] + now[at - n * row] + now[at + n * row] +
                                  now[at - n * plane] + now[at + n * plane]);
    next[at] = 2 * own - next[at] + 0.05f * pull;
}

__global__ void orbitsKernel(float* pixels, int side, float moveX, float moveY, int rounds) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    float x = 3.0f * float(i % side) / float(side) - 1.5f, y = 3.0f * float(i / side) / float(side) - 1.5f;
    float near = 0;
    for (int n = 0; n < rounds; ++n) {
        const float squaredX = x * x, squaredY = y * y;
        near += squaredX + squaredY < 4 ? 1.0f : 0.0f;
        y = 2 * x * y + moveY;
        x = squaredX - squaredY + moveX;
    }
    pixels[i] = near;
}

__global__ void correlateKernel(const float* signal, const float* filter, int taps, float* result) {
    const size_t first = size_t(blockIdx.x) * 4 * threads + threadIdx.x;
    float sums[4] = {};
    for (int tap = 0; tap < taps; ++tap) {
        const float weight = filter[tap];
#pragma unroll
        for (int n = 0; n < 4; ++n)
            sums[n] += weight * signal[first + n * threads + tap];
    }
#pragma unroll
    for (int n = 0; n < 4; ++n)
        result[first + n * threads] = sums[n];
}

__global__ void growKernel(float* populations, int generations) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i == 0)
        atomicAdd(&calls, 1u);
    const float rate = 3.6f + 1e-4f * float(i % 1000);
    float value = 0.1f + 0.5f * populations[i];
    for (int n = 0; n < generations; ++n)
        value *= rate - rate * value;
    populations[i] = value;
}

__global__ void meetKernel(const float* some, float* others) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    others[i] = 0.5f * (some[i] + others[i]);
}

__global__ void relaxColourKernel(float* field, int side, int colour, Reach reach) {
    const int y = int(blockIdx.y) + 1,
              x = 2 * int(blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + colour) % 2;
    if (x >= side - 1)
        return;
    const float far = reach.known ? *reach.known : reach.value;
    float* const own = field + size_t(y) * side + x;
    *own += far * (0.25f * (own[-1] + own[1] + own[-side] + own[side]) - *own);
}

__global__ void leftoverKernel(const float* field, int side, float* sum) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (x < side)
        atomicAdd(sum, fabsf(field[side + x] - field[x]));
}

} // namespace

void wave(const float* now, float* next, const Box& box, cudaStream_t stream) {
    const dim3 grid(unsigned(box.across) / 64, unsigned(box.down) / 4, unsigned(box.planes));
    waveKernel<<<grid, dim3(64, 4), 0, stream>>>(now, next, box);
}

void orbits(float* pixels, int side, float x, float y, int rounds, cudaStream_t stream) {
    orbitsKernel<<<unsigned(side * side / threads), threads, 0, stream>>>(pixels, side, x, y, rounds);
}

void correlate(const float* signal, const float* filter, int taps, float* result, size_t count,
               cudaStream_t stream) {
    correlateKernel<<<unsigned(count / (4 * threads)), threads, 0, stream>>>(signal, filter, taps, result);
}

void grow(float* populations, int blocks, int generations, cudaStream_t stream) {
    growKernel<<<unsigned(blocks), threads, 0, stream>>>(populations, generations);
}

void meet(const float* some, float* others, int blocks, cudaStream_t stream) {
    meetKernel<<<unsigned(blocks), threads, 0, stream>>>(some, others);
}

void readCalls(unsigned* pinned, cudaStream_t stream) {
    CHECK(cudaMemcpyFromSymbolAsync(pinned, calls, sizeof(unsigned), 0, cudaMemcpyDeviceToHost, stream));
}

void relaxColour(float* field, int side, int colour, const Reach& reach, cudaStream_t stream) {
    const dim3 grid(unsigned(side / 2 + threads - 1) / threads, unsigned(side - 2));
    relaxColourKernel<<<grid, threads, 0, stream>>>(field, side, colour, reach);
}

void leftover(const float* field, int side, float* sum, cudaStream_t stream) {
    leftoverKernel<<<unsigned(side + threads - 1) / threads, threads, 0, stream>>>(field, side, sum);
}

} // namespace tenth
