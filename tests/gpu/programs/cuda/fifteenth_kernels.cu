#include "fifteenth.h"

#include "kernel_parts.cuh"

namespace fifteenth {
namespace {

/// The row of the grid is the page, 16 bytes a thread.
__global__ void gatherKernel(const float4* pool, Pages pages, float4* context) {
    constexpr int ofPage = int(pageValues / 4);
    const int i = thread(), page = int(blockIdx.y);
    context[page * ofPage + i] = pool[size_t(pages.numbers[page]) * ofPage + i];
}

__global__ void attendKernel(const float* context, float* states, int rounds) {
    const int i = thread();
    states[i] = settled(0.5f * states[i] + 0.1f * context[i] + 0.001f * float(i % 23), rounds);
}

__global__ void appendKernel(const float* states, float* page) {
    const int i = thread();
    page[i] = 0.5f * page[i] + 0.2f * states[i] + 0.001f * float(i % 11);
}

__global__ void lookKernel(float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.5f * picture[i] + 0.001f * float(i % 29), rounds);
}

__global__ void steerKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    const float next = from[i + 1 < int(joints) ? i + 1 : 0];
    to[i] = settled(0.5f * from[i] + 0.2f * next + 0.001f * float(i % 13), rounds);
}

__global__ void judgeKernel(const float* positions, float* values, int rounds) {
    const int i = thread();
    values[i] = settled(0.5f * values[i] + 0.1f * positions[i % int(positionValues)], rounds);
}

__global__ void shadeKernel(const float* world, const float* players, float* picture, int rounds) {
    const int i = thread();
    const float there = world[(i * 7) % int(worldValues)], who = players[i % int(playerValues)];
    picture[i] = settled(0.5f * picture[i] + 0.1f * there + 0.05f * who, rounds);
}

__global__ void listenKernel(const float* sound, const float* bands, float* heard, int rounds) {
    const int i = thread();
    const float loud = bands[i % int(bandValues)] * sound[i % int(soundValues)];
    heard[i] = settled(0.5f * heard[i] + 0.1f * loud, rounds);
}

__global__ void understandKernel(const float* heard, float* words, int rounds) {
    const int i = thread();
    words[i] = settled(0.5f * words[i] + 0.2f * heard[i] + 0.001f * float(i % 7), rounds);
}

__global__ void balanceKernel(const float* from, const float* drawn, float* to, int rounds) {
    const int i = thread();
    const float left = from[i > 0 ? i - 1 : int(lines) - 1], right = from[i + 1 < int(lines) ? i + 1 : 0];
    to[i] = settled(0.4f * from[i] + 0.2f * left + 0.2f * right + 0.1f * drawn[i % int(drawnValues)], rounds);
}

/// All counts are multiples of a block.
unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

Pages pagesOf(int number) {
    Pages pages = {};
    for (int n = 0; n < pagesOfEach; ++n) // 389 has no factor in common with the size of the pool
        pages.numbers[n] = (number % 20 * pagesOfEach + n) * 389 % int(poolPages);
    return pages;
}

void gather(const float* pool, const Pages& pages, float* context, cudaStream_t stream) {
    const dim3 blocks(blocksOf(pageValues / 4), unsigned(pagesOfEach));
    gatherKernel<<<blocks, threads, 0, stream>>>(reinterpret_cast<const float4*>(pool), pages,
                                                 reinterpret_cast<float4*>(context));
}

void attend(const float* context, float* states, int rounds, cudaStream_t stream) {
    attendKernel<<<blocksOf(contextValues), threads, 0, stream>>>(context, states, rounds);
}

void append(const float* states, float* page, cudaStream_t stream) {
    appendKernel<<<blocksOf(pageValues), threads, 0, stream>>>(states, page);
}

void look(float* picture, int rounds, cudaStream_t stream) {
    lookKernel<<<blocksOf(seen), threads, 0, stream>>>(picture, rounds);
}

void steer(const float* from, float* to, int rounds, cudaStream_t stream) {
    steerKernel<<<blocksOf(joints), threads, 0, stream>>>(from, to, rounds);
}

void judge(const float* positions, float* values, int rounds, cudaStream_t stream) {
    judgeKernel<<<blocksOf(worths), threads, 0, stream>>>(positions, values, rounds);
}

void shade(const float* world, const float* players, float* picture, int rounds, cudaStream_t stream) {
    shadeKernel<<<blocksOf(pixels), threads, 0, stream>>>(world, players, picture, rounds);
}

void listen(const float* sound, const float* bands, float* heard, int rounds, cudaStream_t stream) {
    listenKernel<<<blocksOf(heardValues), threads, 0, stream>>>(sound, bands, heard, rounds);
}

void understand(const float* heard, float* words, int rounds, cudaStream_t stream) {
    understandKernel<<<blocksOf(heardValues), threads, 0, stream>>>(heard, words, rounds);
}

void balance(const float* from, const float* drawn, float* to, int rounds, cudaStream_t stream) {
    balanceKernel<<<blocksOf(lines), threads, 0, stream>>>(from, drawn, to, rounds);
}

} // namespace fifteenth
