#include "eighteenth.h"

#include "kernel_parts.cuh"

namespace eighteenth {
namespace {

__global__ void attendKernel(const float* speech, const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.3f * speech[i % int(speechValues)], rounds);
}

__global__ void combineKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.6f * from[i] + 0.2f * from[i ^ 128] + 0.001f * float(i % 19), rounds);
}

__global__ void rankKernel(const float* goods, const float* question, float* ranks, int rounds) {
    const int i = thread();
    const float value = goods[size_t(i) * 11 % goodsValues];
    ranks[i] = settled(0.4f * ranks[i] + 0.3f * value + 0.2f * question[i % int(questionValues)], rounds);
}

__global__ void priceRatesKernel(const float* quotes, const float* from, float* to, int rounds) {
    const int i = thread();
    const float longer = from[i + 1 < int(contracts) ? i + 1 : 0];
    to[i] = settled(0.5f * from[i] + 0.1f * longer + 0.3f * quotes[i % int(quoteValues)], rounds);
}

__global__ void priceSharesKernel(const float* quotes, const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.6f * from[i] + 0.2f * quotes[i % int(quoteValues)] + 0.001f * float(i % 37), rounds);
}

__global__ void requireKernel(const float* book, float* margin, int rounds) {
    const int i = thread();
    const float held = book[i] + book[i + int(marginValues)] + book[i + 2 * int(marginValues)];
    margin[i] = settled(0.7f * margin[i] + 0.1f * held, rounds);
}

__global__ void mixTracksKernel(const float* settings, const float* before, float* to, int rounds) {
    const int i = thread();
    const float echo = before[int(blockValues) - 1 - i];
    to[i] = settled(0.3f * echo + 0.4f * settings[i % int(tracks * trackValues)], rounds);
}

__global__ void keepAwayKernel(const float* obstacles, const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.4f * obstacles[i], rounds);
}

__global__ void findWaysKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    const float beside = from[i > 0 ? i - 1 : int(places) - 1];
    to[i] = settled(0.6f * from[i] + 0.2f * beside + 0.001f * float(i % 43), rounds);
}

__global__ void findHandsKernel(const float* picture, float* memory, float* hands, int rounds) {
    const int i = thread();
    const float value = settled(0.5f * memory[i] + 0.4f * picture[i], rounds);
    memory[i] = value;
    hands[i] = 0.9f * value;
}

__global__ void readSignsKernel(const float* hands, float* memory, float* signs, int rounds) {
    const int i = thread();
    const float value = settled(0.6f * memory[i] + 0.3f * hands[int(signValues) - 1 - i], rounds);
    memory[i] = value;
    signs[i] = 0.8f * value;
}

__global__ void sayWordsKernel(const float* signs, float* memory, float* words, int rounds) {
    const int i = thread();
    const float value = settled(0.7f * memory[i] + 0.2f * signs[i ^ 32], rounds);
    memory[i] = value;
    words[i] = 0.7f * value;
}

/// All counts are multiples of a block.
unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void attend(const float* speech, const float* from, float* to, int rounds, cudaStream_t stream) {
    attendKernel<<<blocksOf(sounds), threads, 0, stream>>>(speech, from, to, rounds);
}

void combine(const float* from, float* to, int rounds, cudaStream_t stream) {
    combineKernel<<<blocksOf(sounds), threads, 0, stream>>>(from, to, rounds);
}

void rank(const float* goods, const float* question, float* ranks, int rounds, cudaStream_t stream) {
    rankKernel<<<blocksOf(ranked), threads, 0, stream>>>(goods, question, ranks, rounds);
}

void priceRates(const float* quotes, const float* from, float* to, int rounds, cudaStream_t stream) {
    priceRatesKernel<<<blocksOf(contracts), threads, 0, stream>>>(quotes, from, to, rounds);
}

void priceShares(const float* quotes, const float* from, float* to, int rounds, cudaStream_t stream) {
    priceSharesKernel<<<blocksOf(contracts), threads, 0, stream>>>(quotes, from, to, rounds);
}

void require(const float* book, float* margin, int rounds, cudaStream_t stream) {
    requireKernel<<<blocksOf(marginValues), threads, 0, stream>>>(book, margin, rounds);
}

void mixTracks(const float* settings, const float* before, float* to, int rounds, cudaStream_t stream) {
    mixTracksKernel<<<blocksOf(blockValues), threads, 0, stream>>>(settings, before, to, rounds);
}

void keepAway(const float* obstacles, const float* from, float* to, int rounds, cudaStream_t stream) {
    keepAwayKernel<<<blocksOf(places), threads, 0, stream>>>(obstacles, from, to, rounds);
}

void findWays(const float* from, float* to, int rounds, cudaStream_t stream) {
    findWaysKernel<<<blocksOf(places), threads, 0, stream>>>(from, to, rounds);
}

void findHands(const float* picture, float* memory, float* hands, int rounds, cudaStream_t stream) {
    findHandsKernel<<<blocksOf(signValues), threads, 0, stream>>>(picture, memory, hands, rounds);
}

void readSigns(const float* hands, float* memory, float* signs, int rounds, cudaStream_t stream) {
    readSignsKernel<<<blocksOf(signValues), threads, 0, stream>>>(hands, memory, signs, rounds);
}

void sayWords(const float* signs, float* memory, float* words, int rounds, cudaStream_t stream) {
    sayWordsKernel<<<blocksOf(signValues), threads, 0, stream>>>(signs, memory, words, rounds);
}

} // namespace eighteenth
