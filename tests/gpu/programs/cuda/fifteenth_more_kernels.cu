#include "fifteenth_more.h"

#include "kernel_parts.cuh"

namespace fifteenth_more {
namespace {

__global__ void formKernel(const float* echoes, float* image, Steering steering, int rounds) {
    const int i = thread();
    const float seen = 0.1f * echoes[i] * steering.range + 0.01f * steering.angle;
    image[i] = settled(0.5f * image[i] + seen, rounds);
}

__global__ void refineKernel(float* model, int rounds) {
    const int i = thread();
    model[i] = settled(0.5f * model[i] + 0.001f * float(i % 29), rounds);
}

__global__ void observeKernel(const float* layers, int cells, float* picture, int rounds) {
    const int i = thread(), cell = i % cells;
    float path = 0;
    for (int n = 0; n < 3; ++n)
        path += layers[n * cells + cell];
    picture[i] = settled(0.5f * picture[i] + 0.05f * path, rounds);
}

__global__ void unfoldKernel(float* coil, const float* volume, int number, int rounds) {
    const int i = thread();
    coil[i] = settled(0.5f * coil[i] + 0.1f * volume[i] + 0.001f * float((i + number) % 31), rounds);
}

__global__ void weighKernel(const float* coil, float* weighed, int rounds) {
    const int i = thread();
    weighed[i] = settled(0.4f * weighed[i] + 0.2f * coil[i], rounds);
}

__global__ void combineKernel(const float* weighed, int coils, float* volume, int rounds) {
    const int i = thread(), at = i % int(coilValues);
    float sum = 0;
    for (int n = 0; n < coils; ++n)
        sum += weighed[n * int(coilValues) + at];
    volume[i] = settled(0.5f * volume[i] + 0.05f * sum, rounds);
}

__global__ void rideKernel(const float* passengers, const float* timetable, float* trams, int rounds) {
    const int i = thread();
    trams[i] = settled(0.5f * trams[i] + 0.1f * passengers[i] + 0.01f * timetable[i % int(lines)], rounds);
}

__global__ void delaysKernel(const float* trams, float* late, int rounds) {
    const int i = thread();
    late[i] = settled(trams[i * 1024], rounds);
}

/// All counts are multiples of a block.
unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void form(const float* echoes, float* image, size_t count, Steering steering, int rounds,
          cudaStream_t stream) {
    formKernel<<<blocksOf(count), threads, 0, stream>>>(echoes, image, steering, rounds);
}

void refine(float* model, int rounds, cudaStream_t stream) {
    refineKernel<<<blocksOf(modelValues), threads, 0, stream>>>(model, rounds);
}

void observe(const float* layers, size_t cells, float* picture, size_t count, int rounds,
             cudaStream_t stream) {
    observeKernel<<<blocksOf(count), threads, 0, stream>>>(layers, int(cells), picture, rounds);
}

void unfold(float* coil, const float* volume, int number, int rounds, cudaStream_t stream) {
    unfoldKernel<<<blocksOf(coilValues), threads, 0, stream>>>(coil, volume, number, rounds);
}

void weigh(const float* coil, float* weighed, int rounds, cudaStream_t stream) {
    weighKernel<<<blocksOf(coilValues), threads, 0, stream>>>(coil, weighed, rounds);
}

void combine(const float* weighed, int coils, float* volume, size_t count, int rounds, cudaStream_t stream) {
    combineKernel<<<blocksOf(count), threads, 0, stream>>>(weighed, coils, volume, rounds);
}

void ride(const float* passengers, const float* timetable, float* trams, size_t count, int rounds,
          cudaStream_t stream) {
    rideKernel<<<blocksOf(count), threads, 0, stream>>>(passengers, timetable, trams, rounds);
}

void delays(const float* trams, float* late, int rounds, cudaStream_t stream) {
    delaysKernel<<<1, threads, 0, stream>>>(trams, late, rounds);
}

} // namespace fifteenth_more
