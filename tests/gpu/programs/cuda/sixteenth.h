// The kernels of the sixteenth set of programs. Memory, streams and events are those of the third, sums those
// of the twelfth.
#pragma once

#include "twelfth.h"

namespace sixteenth {

constexpr int threads = 256;

/// A picture of the ground from echoes of a radar, two for each pixel: 21400 rounds take about 0.4 ms.
void focus(const float* echoes, float* picture, int rounds, cudaStream_t stream);
constexpr size_t groundPixels = 1 << 19, echoValues = 2 * groundPixels;

/// What a camera saw of a circuit board becomes a picture: 600 rounds take about 0.06 ms.
void develop(const float* raw, float* picture, int rounds, cudaStream_t stream);
/// A pass over that picture, with the pixels beside each one: 1600 rounds take about 0.15 ms.
void examine(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t boardPixels = 5 << 19;

/// How loud each of the loudspeakers of a hall is, in constant memory; from pinned memory.
void setGains(const float* gains, cudaStream_t stream = nullptr);
/// What is heard at each seat of the hall: 6700 rounds take about 0.25 ms.
void sound(const float* samples, float* seats, int rounds, cudaStream_t stream);
constexpr size_t speakers = 256, hallSeats = 1 << 20, hallSamples = 3 << 19;

/// Points that a lidar saw change a map: 5900 rounds take about 0.22 ms.
void enter(const float* points, float* map, int rounds, cudaStream_t stream);
constexpr size_t mapCells = 1 << 20, lidarValues = 3 << 19;

/// A moment of a tongue of a glacier, by 32 blocks; the first places are written to `front` too, pinned
/// memory of the host: 127000 rounds take about 0.3 ms.
void flow(const float* from, float* to, float* front, int rounds, cudaStream_t stream);
constexpr size_t iceValues = 32 * threads, frontValues = 256;

/// Tissue that a tool pushes, by 96 blocks: 125000 rounds take about 0.3 ms.
void deform(const float* from, const float* tool, float* to, int rounds, cudaStream_t stream);
/// A part of the movement of the tool, by 8 blocks: two or three microseconds.
void turn(const float* from, const float* tissue, const float* settings, float* to, cudaStream_t stream);
constexpr size_t tissueValues = 96 * threads, toolValues = 8 * threads, settingValues = 256;

/// Plants of a vineyard grow, and what they will bear: 2^20 of them and 4700 rounds take about 0.18 ms.
void grow(const float* weather, float* plants, int rounds, cudaStream_t stream);
void bear(const float* plants, float* grapes, int rounds, cudaStream_t stream);
constexpr size_t vines = 1 << 20;

/// Pinned pieces with values of their own.
template <size_t N>
void fill(third::Pinned<float> (&pieces)[N], size_t count) {
    for (size_t n = 0; n < N; ++n) {
        pieces[n] = third::pinned<float>(count);
        std::fill(pieces[n].get(), pieces[n].get() + count, 0.5f + 0.2f * float(n));
    }
}

} // namespace sixteenth
