#include "nineteenth.h"

#include "kernel_parts.cuh"

namespace nineteenth {
namespace {

constexpr int count = int(values);

__global__ void turnPosesKernel(const float* moves, const float* kept, float* grids, int rounds) {
    const int i = thread();
    const float value = settled(0.5f * kept[i] + 0.4f * moves[i % int(moveValues)], rounds);
    for (int n = 0; n < int(scratchValues / values); ++n)
        grids[i + n * count] = value + 0.001f * float(n);
}

__global__ void scorePosesKernel(const float* grids, float* scores, int rounds) {
    const int i = thread();
    float sum = 0;
    for (int n = 0; n < int(scratchValues / values); ++n)
        sum += grids[(i ^ 64) + n * count];
    const float value = settled(0.1f * sum, rounds);
    for (int n = 0; n < int(scratchValues / values); ++n)
        scores[i + n * count] = value - 0.001f * float(n);
}

__global__ void keepPosesKernel(const float* scores, float* kept, int rounds) {
    const int i = thread();
    float best = scores[i];
    for (int n = 1; n < int(scratchValues / values); ++n)
        best = fmaxf(best, scores[(i ^ 32) + n * count]);
    kept[i] = settled(0.6f * kept[i] + 0.3f * best, rounds);
}

__global__ void relaxKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    const float beside = from[i > 0 ? i - 1 : count - 1] + from[i + 1 < count ? i + 1 : 0];
    to[i] = settled(0.5f * from[i] + 0.2f * beside + 0.001f * float(i % 29), rounds);
}

__global__ void residualKernel(const float* field, const float* before, float* sum) {
    __shared__ float sums[threads];
    const int i = int(threadIdx.x);
    float own = 0;
    for (int n = 0; n < 64; ++n) {
        const int place = (n * threads + i) * 64;
        own += fabsf(field[place] - before[place]);
    }
    sums[i] = own;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            sums[i] += sums[i + half];
    }
    if (i == 0)
        *sum = sums[0];
}

__global__ void lightKernel(const float* before, float* picture, float angle, int rounds) {
    const int i = thread();
    const float value = settled(0.5f * before[i] + 0.3f * before[i + count] + angle, rounds);
    picture[i] = value;
    picture[i + count] = 0.9f * value + 0.001f * float(i % 23);
}

__global__ void smoothKernel(float* picture, int rounds) {
    const int i = thread();
    const float value = settled(0.5f * (picture[i] + picture[i + count]), rounds);
    picture[i] = 0.5f * (picture[i] + value);
    picture[i + count] = 0.6f * value;
}

__global__ void correctKernel(const float* strip, float* corrected, int rounds) {
    const int i = thread();
    float sum = 0;
    for (int n = 0; n < 4; ++n)
        sum += strip[i + n * count];
    const float haze = settled(0.2f * sum, rounds);
    for (int n = 0; n < 4; ++n)
        corrected[i + n * count] = strip[i + n * count] - 0.1f * haze;
}

__global__ void feelKernel(const float* stimuli, const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.2f * stimuli[i] + 0.2f * stimuli[i + count], rounds);
}

__global__ void passKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.6f * from[i] + 0.3f * from[i ^ 512] + 0.001f * float(i % 31), rounds);
}

__global__ void transformKernel(const float* echoes, float* slice, int rounds) {
    const int i = thread();
    slice[i] = settled(0.5f * echoes[i] + 0.3f * echoes[i + count], rounds);
}

__global__ void joinKernel(const float* slice, float* heart, float* shown, int rounds) {
    const int i = thread();
    const float value = settled(0.7f * heart[i] + 0.2f * slice[count - 1 - i], rounds);
    heart[i] = value;
    shown[i] = 0.8f * value;
}

constexpr unsigned blocks = unsigned(values / threads);

} // namespace

void turnPoses(const float* moves, const float* kept, float* grids, int rounds, cudaStream_t stream) {
    turnPosesKernel<<<blocks, threads, 0, stream>>>(moves, kept, grids, rounds);
}

void scorePoses(const float* grids, float* scores, int rounds, cudaStream_t stream) {
    scorePosesKernel<<<blocks, threads, 0, stream>>>(grids, scores, rounds);
}

void keepPoses(const float* scores, float* kept, int rounds, cudaStream_t stream) {
    keepPosesKernel<<<blocks, threads, 0, stream>>>(scores, kept, rounds);
}

void relax(const float* from, float* to, int rounds, cudaStream_t stream) {
    relaxKernel<<<blocks, threads, 0, stream>>>(from, to, rounds);
}

void residual(const float* field, const float* before, float* sum, cudaStream_t stream) {
    residualKernel<<<1, threads, 0, stream>>>(field, before, sum);
}

void light(const float* before, float* picture, float angle, int rounds, cudaStream_t stream) {
    lightKernel<<<blocks, threads, 0, stream>>>(before, picture, angle, rounds);
}

void smooth(float* picture, int rounds, cudaStream_t stream) {
    smoothKernel<<<blocks, threads, 0, stream>>>(picture, rounds);
}

void correct(const float* strip, float* corrected, int rounds, cudaStream_t stream) {
    correctKernel<<<blocks, threads, 0, stream>>>(strip, corrected, rounds);
}

void feel(const float* stimuli, const float* from, float* to, int rounds, cudaStream_t stream) {
    feelKernel<<<blocks, threads, 0, stream>>>(stimuli, from, to, rounds);
}

void pass(const float* from, float* to, int rounds, cudaStream_t stream) {
    passKernel<<<blocks, threads, 0, stream>>>(from, to, rounds);
}

void transform(const float* echoes, float* slice, int rounds, cudaStream_t stream) {
    transformKernel<<<blocks, threads, 0, stream>>>(echoes, slice, rounds);
}

void join(const float* slice, float* heart, float* shown, int rounds, cudaStream_t stream) {
    joinKernel<<<blocks, threads, 0, stream>>>(slice, heart, shown, rounds);
}

} // namespace nineteenth
