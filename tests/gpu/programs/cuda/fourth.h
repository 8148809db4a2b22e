// The kernels of the fourth set of programs. Memory, streams and events are those of the third.
#pragma once

#include "third.h"

namespace fourth {

constexpr int weights = 64;
struct Weights {
    float of[weights];
};

/// All values go `rounds` times through a filter. 64 blocks, so that two such kernels run beside each other;
/// 2^20 values and 100 rounds take about 0.9 ms.
void filter(float* values, size_t count, const Weights& by, int rounds, cudaStream_t stream);
/// The same with the weights that setWeights() gave last.
void filterBySymbol(float* values, size_t count, int rounds, cudaStream_t stream);
/// For all streams that wait for the NULL stream, in their order.
void setWeights(const Weights& by);

constexpr int samples = 16, settings = 4096;

/// A picture by a scene of so many values a pixel, and by settings. 64 blocks; 2^20 pixels and 3000 rounds
/// take about 0.4 ms.
void render(float* pixels, size_t count, const float* scene, const float* by, int rounds,
            cudaStream_t stream);

constexpr unsigned voices = 1 << 20;

/// Each voice adds one to an accumulator that it finds after so many rounds. 64 blocks; 12000 rounds take
/// about 2 ms.
void vote(unsigned* accumulators, unsigned count, int rounds, cudaStream_t stream);

} // namespace fourth
