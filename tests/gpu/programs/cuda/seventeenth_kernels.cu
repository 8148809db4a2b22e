#include "seventeenth.h"

#include "kernel_parts.cuh"

namespace seventeenth {
namespace {

__global__ void runKernel(const float* water, const float* bed, float* to, int rounds) {
    const int i = thread();
    const float above = water[i > 0 ? i - 1 : int(riverValues) - 1];
    to[i] = settled(0.5f * above + 0.3f * bed[i] + 0.001f * float(i % 23), rounds);
}

__global__ void holdBackKernel(const float* running, const float* bed, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.2f * running[i] - 0.1f * bed[i], rounds);
}

__global__ void settleDownKernel(const float* water, const float* running, const float* held, float* to,
                                 int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * water[i] + 0.3f * (running[i] - held[i]), rounds);
}

__global__ void freezeKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    const float before = from[i > 0 ? i - 1 : int(meltValues) - 1];
    const float next = from[i + 1 < int(meltValues) ? i + 1 : 0];
    to[i] = settled(0.6f * from[i] + 0.1f * (before + next) + 0.001f * float(i % 29), rounds);
}

__global__ void drawKernel(float* tile, int number, int rounds) {
    const int i = thread();
    tile[i] = settled(0.4f * tile[i] + 0.001f * float((i + number * 37) % 101), rounds);
}

__global__ void hearKernel(const float* bands, const float* before, const float* from, float* to,
                           int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.2f * bands[i % int(bandsOfMoment)] + 0.1f * *before, rounds);
}

__global__ void gateKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.6f * from[i] + 0.3f * from[i + 1 < int(voiceUnits) ? i + 1 : 0], rounds);
}

__global__ void sayKernel(const float* from, float* to, float* sound, int rounds) {
    const int i = thread();
    const float value = settled(0.8f * from[i] + 0.0001f * float(i % 31), rounds);
    to[i] = value;
    if (i == 0)
        *sound = value;
}

__global__ void embedKernel(const float* words, const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.4f * words[i / 2], rounds);
}

__global__ void layerKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.6f * from[i] + 0.2f * from[i ^ 64] + 0.001f * float(i % 13), rounds);
}

__global__ void moveGasKernel(float* places, unsigned* accepted, int number, int rounds) {
    const int i = thread();
    const unsigned chance = (unsigned(i) * 2654435761u + unsigned(number) * 40503u) >> 16 & 1023;
    const float moved = settled(0.7f * places[i] + 0.0002f * float(chance), rounds);
    const bool taken = chance < 600;
    if (taken)
        places[i] = moved;
    const int count = __syncthreads_count(taken);
    if (threadIdx.x == 0)
        atomicAdd(accepted, unsigned(count));
}

__global__ void findRoadsKernel(const float* part, float* roads, int rounds) {
    const int i = thread();
    const float beside = part[i + 1 < int(partPixels) ? i + 1 : i];
    roads[i] = settled(0.5f * roads[i] + 0.3f * part[i] - 0.1f * beside, rounds);
}

__global__ void joinKernel(const float* strip, const float* before, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.6f * strip[i] + 0.2f * before[int(stripPixels) - 1 - i], rounds);
}

__global__ void infectKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    const float near = from[i > 0 ? i - 1 : int(regionValues) - 1];
    to[i] = settled(0.6f * from[i] + 0.2f * near + 0.001f * float(i % 17), rounds);
}

__global__ void travelKernel(const float* from, const float* reports, float* to) {
    const int i = thread();
    const float elsewhere = from[(i + int(regionValues)) % int(peopleValues)];
    to[i] = settled(0.7f * from[i] + 0.1f * elsewhere + 0.1f * reports[i], 300);
}

__global__ void suitKernel(const float* person, const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.3f * person[i % int(personValues)] + 0.001f * float(i % 11), rounds);
}

/// All counts are multiples of a block.
unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void run(const float* water, const float* bed, float* to, int rounds, cudaStream_t stream) {
    runKernel<<<blocksOf(riverValues), threads, 0, stream>>>(water, bed, to, rounds);
}

void holdBack(const float* running, const float* bed, float* to, int rounds, cudaStream_t stream) {
    holdBackKernel<<<blocksOf(riverValues), threads, 0, stream>>>(running, bed, to, rounds);
}

void settleDown(const float* water, const float* running, const float* held, float* to, int rounds,
                cudaStream_t stream) {
    settleDownKernel<<<blocksOf(riverValues), threads, 0, stream>>>(water, running, held, to, rounds);
}

void freeze(const float* from, float* to, int rounds, cudaStream_t stream) {
    freezeKernel<<<blocksOf(meltValues), threads, 0, stream>>>(from, to, rounds);
}

void draw(float* tile, int number, int rounds, cudaStream_t stream) {
    drawKernel<<<blocksOf(tilePixels), threads, 0, stream>>>(tile, number, rounds);
}

void hear(const float* bands, const float* before, const float* from, float* to, int rounds,
          cudaStream_t stream) {
    hearKernel<<<blocksOf(voiceUnits), threads, 0, stream>>>(bands, before, from, to, rounds);
}

void gate(const float* from, float* to, int rounds, cudaStream_t stream) {
    gateKernel<<<blocksOf(voiceUnits), threads, 0, stream>>>(from, to, rounds);
}

void say(const float* from, float* to, float* sound, int rounds, cudaStream_t stream) {
    sayKernel<<<blocksOf(voiceUnits), threads, 0, stream>>>(from, to, sound, rounds);
}

void embed(const float* words, const float* from, float* to, int rounds, cudaStream_t stream) {
    embedKernel<<<blocksOf(meanings), threads, 0, stream>>>(words, from, to, rounds);
}

void layer(const float* from, float* to, int rounds, cudaStream_t stream) {
    layerKernel<<<blocksOf(meanings), threads, 0, stream>>>(from, to, rounds);
}

void moveGas(float* places, unsigned* accepted, int number, int rounds, cudaStream_t stream) {
    moveGasKernel<<<blocksOf(molecules), threads, 0, stream>>>(places, accepted, number, rounds);
}

void findRoads(const float* part, float* roads, int rounds, cudaStream_t stream) {
    findRoadsKernel<<<blocksOf(partPixels), threads, 0, stream>>>(part, roads, rounds);
}

void join(const float* strip, const float* before, float* to, int rounds, cudaStream_t stream) {
    joinKernel<<<blocksOf(stripPixels), threads, 0, stream>>>(strip, before, to, rounds);
}

void infect(const float* from, float* to, int rounds, cudaStream_t stream) {
    infectKernel<<<blocksOf(regionValues), threads, 0, stream>>>(from, to, rounds);
}

void travel(const float* from, const float* reports, float* to, cudaStream_t stream) {
    travelKernel<<<blocksOf(peopleValues), threads, 0, stream>>>(from, reports, to);
}

void suit(const float* person, const float* from, float* to, int rounds, cudaStream_t stream) {
    suitKernel<<<blocksOf(adverts), threads, 0, stream>>>(person, from, to, rounds);
}

} // namespace seventeenth
