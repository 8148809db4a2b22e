// The kernels of the tenth set of programs. Memory, streams and events are those of the third.
#pragma once

#include "sixth.h"

namespace tenth {

constexpr size_t million = 1 << 20;

/// A box of points, row by row and plane by plane.
struct Box {
    int across, down, planes;
    size_t count() const { return size_t(across) * down * planes; }
};
/// A wave moves on: `next` is the field before and becomes the one after. 25 points are looked at for each
/// one. 512 x 512 x 256 points take about 0.5 ms.
void wave(const float* now, float* next, const Box& box, cudaStream_t stream);

/// A picture of the points that stay near when they are squared and moved by (x, y) again and again. 2048 x
/// 2048 pixels and 1000 rounds take about 1.2 ms.
void orbits(float* pixels, int side, float x, float y, int rounds, cudaStream_t stream);

/// A signal through a filter: count values, which come in 1024s; the signal has so many more as the filter
/// has taps. 2^20 values and 16384 taps take about 3 ms.
void correlate(const float* signal, const float* filter, int taps, float* result, size_t count,
               cudaStream_t stream);

constexpr int threads = 256;

/// So many generations of populations, 256 a block; 80000 take about 0.4 ms, whatever the number of blocks up
/// to 132. Counts how often it was called.
void grow(float* populations, int blocks, int generations, cudaStream_t stream);
/// The mean of two groups of populations is the second one.
void meet(const float* some, float* others, int blocks, cudaStream_t stream);
/// How often grow() was called, by cudaMemcpyFromSymbolAsync.
void readCalls(unsigned* pinned, cudaStream_t stream);

/// How far a sweep goes: a number that the host knows, or one of the device.
struct Reach {
    float value = 1;
    const float* known = nullptr;
};
/// Half of the points of a square, those of one colour, come near the mean of their neighbours. 4096 x 4096
/// points take about 45 us.
void relaxColour(float* field, int side, int colour, const Reach& reach, cudaStream_t stream);
/// The sum of what is left to do in the first row; the number must be 0 before.
void leftover(const float* field, int side, float* sum, cudaStream_t stream);

} // namespace tenth
