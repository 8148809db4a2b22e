// The kernels of the nineteenth set of programs. Memory, streams and events are those of the third, sums
// those of the twelfth.
#pragma once

#include "twelfth.h"

namespace nineteenth {

constexpr int threads = 256;
/// What most kernels write, a value by each thread: 26.5 rounds take about a microsecond.
constexpr size_t values = 1 << 20;

/// Poses of a molecule in a pocket: the grid around each, its score, and what is kept of it. 10600 rounds of
/// each take about 0.4 ms.
void turnPoses(const float* moves, const float* kept, float* grids, int rounds, cudaStream_t stream);
void scorePoses(const float* grids, float* scores, int rounds, cudaStream_t stream);
void keepPoses(const float* scores, float* kept, int rounds, cudaStream_t stream);
constexpr size_t moveValues = 1 << 14, scratchValues = 8 << 20;

/// The field in a motor: 3700 rounds take about 0.14 ms. Its residual at 16384 places, by one block: 10 us.
void relax(const float* from, float* to, int rounds, cudaStream_t stream);
void residual(const float* field, const float* before, float* sum, cudaStream_t stream);

/// A picture of a film, two values by each thread: 8000 rounds of each take about 0.3 ms.
void light(const float* before, float* picture, float angle, int rounds, cudaStream_t stream);
void smooth(float* picture, int rounds, cudaStream_t stream);
constexpr size_t pictureValues = 2 * values;

/// A strip of the earth, four values by each thread: 10600 rounds take about 0.4 ms.
void correct(const float* strip, float* corrected, int rounds, cudaStream_t stream);
constexpr size_t stripValues = 4 * values;

/// A moment of nerves, of which the first kernel needs the stimuli: 8000 rounds of each take about 0.3 ms.
void feel(const float* stimuli, const float* from, float* to, int rounds, cudaStream_t stream);
void pass(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t stimuliValues = 2 * values;

/// A slice of a heart, and the heart of all slices so far: 9300 and 6600 rounds take about 0.35 and 0.25 ms.
void transform(const float* echoes, float* slice, int rounds, cudaStream_t stream);
void join(const float* slice, float* heart, float* shown, int rounds, cudaStream_t stream);
constexpr size_t echoValues = 2 * values;

} // namespace nineteenth
