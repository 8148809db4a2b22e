#include "sixteenth.h"

#include "kernel_parts.cuh"

namespace sixteenth {
namespace {

__constant__ float gainsOfSpeakers[speakers];

__global__ void focusKernel(const float2* echoes, float* picture, int rounds) {
    const int i = thread();
    const float2 echo = echoes[i];
    picture[i] = settled(0.5f * picture[i] + 0.1f * (echo.x - 0.5f * echo.y), rounds);
}

__global__ void developKernel(const float* raw, float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.3f * picture[i] + 0.4f * raw[i], rounds);
}

__global__ void examineKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    const float before = from[i > 0 ? i - 1 : 0], next = from[i + 1 < int(boardPixels) ? i + 1 : i];
    to[i] = settled(0.6f * from[i] + 0.1f * before + 0.2f * next + 0.001f * float(i % 19), rounds);
}

/// Seats near each other hear one loudspeaker.
__global__ void soundKernel(const float* samples, float* seats, int rounds) {
    const int i = thread();
    const float direct = samples[i], echo = samples[int(hallSeats) + i / 2];
    const float gain = gainsOfSpeakers[i / int(hallSeats / speakers)];
    seats[i] = settled(0.5f * seats[i] + 0.1f * gain * (direct + 0.5f * echo), rounds);
}

__global__ void enterKernel(const float* points, float* map, int rounds) {
    const int i = thread();
    const float near = points[i], far = points[int(mapCells) + i / 2];
    map[i] = settled(0.6f * map[i] + 0.2f * near + 0.1f * far + 0.001f * float(i % 17), rounds);
}

__global__ void flowKernel(const float* from, float* to, float* front, int rounds) {
    const int i = thread();
    const float above = from[i > 0 ? i - 1 : int(iceValues) - 1];
    const float ice = settled(0.5f * from[i] + 0.3f * above + 0.001f * float(i % 13), rounds);
    to[i] = ice;
    if (i < int(frontValues))
        front[i] = ice;
}

__global__ void deformKernel(const float* from, const float* tool, float* to, int rounds) {
    const int i = thread();
    const float pushed = tool[i % int(toolValues)];
    to[i] = settled(0.6f * from[i] + 0.2f * pushed + 0.001f * float(i % 11), rounds);
}

__global__ void turnKernel(const float* from, const float* tissue, const float* settings, float* to) {
    const int i = thread();
    const float next = from[i + 1 < int(toolValues) ? i + 1 : 0];
    const float wanted = settings[i % int(settingValues)];
    to[i] = settled(0.4f * from[i] + 0.2f * next + 0.1f * tissue[i] + 0.1f * wanted, 300);
}

__global__ void growKernel(const float* weather, float* plants, int rounds) {
    const int i = thread();
    plants[i] = settled(0.5f * plants[i] + 0.2f * weather[i], rounds);
}

__global__ void bearKernel(const float* plants, float* grapes, int rounds) {
    const int i = thread();
    grapes[i] = settled(0.4f * grapes[i] + 0.3f * plants[i] + 0.001f * float(i % 7), rounds);
}

/// All counts are multiples of a block.
unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void focus(const float* echoes, float* picture, int rounds, cudaStream_t stream) {
    focusKernel<<<blocksOf(groundPixels), threads, 0, stream>>>(reinterpret_cast<const float2*>(echoes),
                                                                picture, rounds);
}

void develop(const float* raw, float* picture, int rounds, cudaStream_t stream) {
    developKernel<<<blocksOf(boardPixels), threads, 0, stream>>>(raw, picture, rounds);
}

void examine(const float* from, float* to, int rounds, cudaStream_t stream) {
    examineKernel<<<blocksOf(boardPixels), threads, 0, stream>>>(from, to, rounds);
}

void setGains(const float* gains, cudaStream_t stream) {
    CHECK(cudaMemcpyToSymbolAsync(gainsOfSpeakers, gains, speakers * sizeof(float), 0, cudaMemcpyHostToDevice,
                                  stream));
}

void sound(const float* samples, float* seats, int rounds, cudaStream_t stream) {
    soundKernel<<<blocksOf(hallSeats), threads, 0, stream>>>(samples, seats, rounds);
}

void enter(const float* points, float* map, int rounds, cudaStream_t stream) {
    enterKernel<<<blocksOf(mapCells), threads, 0, stream>>>(points, map, rounds);
}

void flow(const float* from, float* to, float* front, int rounds, cudaStream_t stream) {
    flowKernel<<<blocksOf(iceValues), threads, 0, stream>>>(from, to, front, rounds);
}

void deform(const float* from, const float* tool, float* to, int rounds, cudaStream_t stream) {
    deformKernel<<<blocksOf(tissueValues), threads, 0, stream>>>(from, tool, to, rounds);
}

void turn(const float* from, const float* tissue, const float* settings, float* to, cudaStream_t stream) {
    turnKernel<<<blocksOf(toolValues), threads, 0, stream>>>(from, tissue, settings, to);
}

void grow(const float* weather, float* plants, int rounds, cudaStream_t stream) {
    growKernel<<<blocksOf(vines), threads, 0, stream>>>(weather, plants, rounds);
}

void bear(const float* plants, float* grapes, int rounds, cudaStream_t stream) {
    bearKernel<<<blocksOf(vines), threads, 0, stream>>>(plants, grapes, rounds);
}

} // namespace sixteenth
