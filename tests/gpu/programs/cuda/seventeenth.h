// The kernels of the seventeenth set of programs. Memory, streams and events are those of the third, sums and
// graphs those of the twelfth.
#pragma once

#include "twelfth.h"

namespace seventeenth {

constexpr int threads = 256;

/// How water runs on the bed of a river, what holds it up, and what comes of that: 6700 rounds take about
/// 0.25 ms.
void run(const float* water, const float* bed, float* to, int rounds, cudaStream_t stream);
void holdBack(const float* running, const float* bed, float* to, int rounds, cudaStream_t stream);
void settleDown(const float* water, const float* running, const float* held, float* to, int rounds,
                cudaStream_t stream);
constexpr size_t riverValues = 1 << 20;

/// A crystal in a melt: 5300 rounds take about 0.4 ms.
void freeze(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t meltValues = 2 << 20;

/// A tile of a fractal: 10100 rounds take about 0.38 ms.
void draw(float* tile, int number, int rounds, cudaStream_t stream);
constexpr size_t tilePixels = 1 << 20;

/// A moment of a voice, which follows from the sound of the moment before, by 8 blocks: 700 rounds of each of
/// the three take about 0.004 ms.
void hear(const float* bands, const float* before, const float* from, float* to, int rounds,
          cudaStream_t stream);
void gate(const float* from, float* to, int rounds, cudaStream_t stream);
void say(const float* from, float* to, float* sound, int rounds, cudaStream_t stream);
constexpr size_t voiceUnits = 8 * threads, bandsOfMoment = 128;

/// What words mean in a text, and a layer over it: 8000 rounds of each take about 0.3 ms.
void embed(const float* words, const float* from, float* to, int rounds, cudaStream_t stream);
void layer(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t wordValues = 1 << 19, meanings = 1 << 20;

/// Molecules of a gas in the pores of a mineral move; counts the moves that were accepted: 4000 rounds take
/// about 0.3 ms.
void moveGas(float* places, unsigned* accepted, int number, int rounds, cudaStream_t stream);
constexpr size_t molecules = 2 << 20;

/// Where roads are in a part of a map: 9100 rounds take about 0.3 ms.
void findRoads(const float* part, float* roads, int rounds, cudaStream_t stream);
constexpr size_t partPixels = 7 << 17;

/// A strip of a slide under a microscope, which joins the strip before it: 9400 rounds take about 0.35 ms.
void join(const float* strip, const float* before, float* to, int rounds, cudaStream_t stream);
constexpr size_t stripPixels = 1 << 20;

/// A day of an illness in one of four regions, by 32 blocks: 110000 rounds take about 0.25 ms.
void infect(const float* from, float* to, int rounds, cudaStream_t stream);
/// Who travels between the regions, and what was reported, some microseconds.
void travel(const float* from, const float* reports, float* to, cudaStream_t stream);
constexpr size_t regions = 4, regionValues = 32 * threads, peopleValues = regions * regionValues;

/// How well adverts suit somebody: 4000 rounds take about 0.15 ms.
void suit(const float* person, const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t adverts = 1 << 20, personValues = 1 << 18;

/// Pinned pieces with values of their own.
template <size_t N>
void fill(third::Pinned<float> (&pieces)[N], size_t count) {
    for (size_t n = 0; n < N; ++n) {
        pieces[n] = third::pinned<float>(count);
        std::fill(pieces[n].get(), pieces[n].get() + count, 0.4f + 0.2f * float(n));
    }
}

} // namespace seventeenth
