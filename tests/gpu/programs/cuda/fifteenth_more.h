// The kernels of the second half of the fifteenth set of programs. Memory, streams and events are those of
// the third, sums those of the twelfth.
#pragma once

#include "twelfth.h"

namespace fifteenth_more {

constexpr int threads = 256;

/// Where a sonar looks to.
struct Steering {
    float angle = 0, range = 0;
};
/// An image from echoes, in place; 2^20 values and 6700 rounds take about 0.25 ms.
void form(const float* echoes, float* image, size_t count, Steering steering, int rounds,
          cudaStream_t stream);

/// A model of a star comes closer to its spectrum, by 60 blocks: 121000 rounds take about 0.28 ms.
void refine(float* model, int rounds, cudaStream_t stream);
constexpr size_t modelValues = size_t(60) * threads;

/// A picture seen through three layers of air of `cells` values each; 2^20 pixels and 5300 rounds take about
/// 0.2 ms.
void observe(const float* layers, size_t cells, float* picture, size_t count, int rounds,
             cudaStream_t stream);

/// What one coil of a scanner saw and how the volume looks so far, by 24 blocks: 43000 rounds take about 0.1
/// ms.
void unfold(float* coil, const float* volume, int number, int rounds, cudaStream_t stream);
void weigh(const float* coil, float* weighed, int rounds, cudaStream_t stream);
constexpr size_t coilValues = size_t(24) * threads;
/// A volume from all coils; 2^21 values and 6700 rounds take about 0.5 ms.
void combine(const float* weighed, int coils, float* volume, size_t count, int rounds, cudaStream_t stream);

/// Trams of a part of a city and their passengers; 2^20 of them and 13000 rounds take about 0.5 ms.
void ride(const float* passengers, const float* timetable, float* trams, size_t count, int rounds,
          cudaStream_t stream);
constexpr size_t lines = 512; ///< of the timetable
/// How late 256 of them are, by one block: 2000 rounds take 0.005 ms.
void delays(const float* trams, float* late, int rounds, cudaStream_t stream);

} // namespace fifteenth_more
