// The kernels of the eighteenth set of programs. Memory, streams and events are those of the third, sums and
// graphs those of the twelfth.
#pragma once

#include "twelfth.h"

namespace eighteenth {

constexpr int threads = 256;

/// Layers of a net that listens: 4500 rounds of each take about 0.17 ms.
void attend(const float* speech, const float* from, float* to, int rounds, cudaStream_t stream);
void combine(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t sounds = 1 << 20, speechValues = 1 << 15;

/// How well goods of a table suit a question: 13300 rounds take about 0.5 ms.
void rank(const float* goods, const float* question, float* ranks, int rounds, cudaStream_t stream);
constexpr size_t goodsValues = 11 << 20, questionValues = 1 << 14, ranked = 1 << 20;

/// A day of two books of contracts, by 48 blocks each: 88000 rounds take about 0.2 ms.
void priceRates(const float* quotes, const float* from, float* to, int rounds, cudaStream_t stream);
void priceShares(const float* quotes, const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t contracts = 48 * threads, quoteValues = 1 << 12;
/// What a book needs as a margin, by 16 blocks: 26000 rounds take about 0.06 ms.
void require(const float* book, float* margin, int rounds, cudaStream_t stream);
constexpr size_t marginValues = 16 * threads;

/// A block of a piece of music with the settings of its tracks: 10600 rounds take about 0.4 ms.
void mixTracks(const float* settings, const float* before, float* to, int rounds, cudaStream_t stream);
constexpr size_t tracks = 128, trackValues = 512, blockValues = 1 << 20;

/// Where an arm may go between obstacles, and the ways there: 16000 rounds of each take about 0.6 ms.
void keepAway(const float* obstacles, const float* from, float* to, int rounds, cudaStream_t stream);
void findWays(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t places = 1 << 20;

/// Hands in a picture, signs of the hands, words of the signs, by 40 blocks each. Each remembers what was
/// before: 220000 rounds take about 0.5 ms.
void findHands(const float* picture, float* memory, float* hands, int rounds, cudaStream_t stream);
void readSigns(const float* hands, float* memory, float* signs, int rounds, cudaStream_t stream);
void sayWords(const float* signs, float* memory, float* words, int rounds, cudaStream_t stream);
constexpr size_t signValues = 40 * threads;

} // namespace eighteenth
