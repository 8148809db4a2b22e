// The kernels of the fifteenth set of programs. Memory, streams and events are those of the third, sums and
// graphs those of the twelfth.
#pragma once

#include "twelfth.h"

namespace fifteenth {

constexpr int threads = 256;

/// Pages of what was said in conversations, somewhere in a pool; so many belong to each one.
constexpr int pagesOfEach = 96;
constexpr size_t pageValues = 8192, contextValues = pagesOfEach * pageValues;
constexpr size_t poolPages = 2048, poolValues = poolPages * pageValues;
struct Pages {
    int numbers[pagesOfEach];
};
/// Those of one of 20 conversations, which have none in common.
Pages pagesOf(int number);
/// All pages of a conversation, one behind the other: about 0.006 ms.
void gather(const float* pool, const Pages& pages, float* context, cudaStream_t stream);
/// What follows from them; 13000 rounds take about 0.34 ms.
void attend(const float* context, float* states, int rounds, cudaStream_t stream);
/// The states change a page, some microseconds.
void append(const float* states, float* page, cudaStream_t stream);

/// A picture of a camera, by 48 blocks: 100000 rounds take about 0.24 ms.
void look(float* picture, int rounds, cudaStream_t stream);
constexpr size_t seen = 48 * threads;
/// A small step of the joints of a robot, by 8 blocks: 4000 rounds take about 0.01 ms.
void steer(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t joints = 8 * threads;

/// Positions of a board game; what they are worth is `worths` values, of which 5300 rounds take about 0.2 ms.
void judge(const float* positions, float* values, int rounds, cudaStream_t stream);
constexpr size_t positionValues = 16384, worths = 1 << 20;

/// A part of the world of a game, and where its players are.
constexpr size_t worldPiece = 1432 * 1024, worldPieces = 10, worldValues = worldPieces * worldPiece;
constexpr size_t playerValues = 8192, pixels = size_t(1920) * 1080;
/// A pass over a picture of both; 3000 rounds take about 0.21 ms.
void shade(const float* world, const float* players, float* picture, int rounds, cudaStream_t stream);

/// Sound and how loud each of 256 bands is to be, and what is said; 2^20 values and 4000 rounds take about
/// 0.15 ms.
void listen(const float* sound, const float* bands, float* heard, int rounds, cudaStream_t stream);
void understand(const float* heard, float* words, int rounds, cudaStream_t stream);
constexpr size_t soundValues = 1 << 18, bandValues = 256, heardValues = 1 << 20;

/// The lines of a net of electricity and what is drawn from it; 2^21 values and 4000 rounds take about 0.3
/// ms.
void balance(const float* from, const float* drawn, float* to, int rounds, cudaStream_t stream);
constexpr size_t lines = 2 << 20, drawnValues = 32768;

} // namespace fifteenth
