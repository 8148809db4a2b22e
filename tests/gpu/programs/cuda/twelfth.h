// The kernels of the twelfth set of programs. Memory, streams and events are those of the third.
#pragma once

#include "sixth.h"

namespace twelfth {

constexpr int threads = 256;

/// A number that the host knows, or the quotient of two on the device.
struct Ratio {
    float value = 0;
    const float *top = nullptr, *bottom = nullptr;
};

/// Conjugate gradients on a square of `side` values: nothing is known yet, and what is left is the source.
void beginSolve(float* x, float* rest, float* way, int side, cudaStream_t stream);
/// Each of these takes 20 to 70 us for 2^24 values.
void multiply(const float* way, float* product, int side, cudaStream_t stream);
void dot(const float* a, const float* b, size_t count, float* parts, float* result, cudaStream_t stream);
void addScaled(float* y, const float* x, Ratio factor, float sign, size_t count, cudaStream_t stream);
void turn(float* way, const float* rest, Ratio factor, size_t count, cudaStream_t stream);
constexpr int dotParts = 1024; ///< values of `parts`

/// Which of 256 bins so many samples of 32 blocks fall into: 6000 a thread take about 0.15 ms.
void countBins(unsigned* bins, int samples, unsigned seed, cudaStream_t stream);
/// How many are in a bin or those below it, of all.
void equalize(const unsigned* bins, float* table, cudaStream_t stream);

/// A lattice of nine directions, one after the other; both sizes are powers of two, and 4096 x 2048 places
/// take about 0.15 ms each.
void fillLattice(float* lattice, int width, int height, cudaStream_t stream);
void collide(float* lattice, int width, int height, cudaStream_t stream);
void propagate(const float* from, float* to, int width, int height, cudaStream_t stream);
/// The two walls, a few microseconds.
void bounce(float* lattice, int width, int height, cudaStream_t stream);

/// Some arithmetic on each value; 2^21 values and 13000 rounds take about a millisecond.
void decode(const float* from, float* to, size_t count, int rounds, cudaStream_t stream);
/// The same by 64 blocks, so that two run beside each other; 2^16 values and 60000 rounds take about 0.5 ms.
void unpack(const float* from, float* to, size_t count, int rounds, cudaStream_t stream);
void inspect(const float* from, float* to, size_t count, int rounds, cudaStream_t stream);
/// A picture that is changed a little; 2^16 values and 260000 rounds take about 0.6 ms.
void render(float* picture, size_t count, int rounds, int number, cudaStream_t stream);

/// 4096 frequencies of so many samples, by 16 blocks, and back; 6000 samples take about 0.05 ms.
void spectrum(const float* samples, int count, float2* waves, cudaStream_t stream);
void delay(float2* waves, float angle, cudaStream_t stream);
void restore(const float2* waves, float* samples, cudaStream_t stream);

/// Edges of a strip follow from those of the strips beside it, a few microseconds; then all of it changes, by
/// 30 blocks: 20000 rounds take about 0.05 ms.
void border(float* strip, const float* above, const float* below, float* edge, cudaStream_t stream);
void interior(float* strip, int rounds, cudaStream_t stream);
constexpr int stripValues = 30 * threads;

/// Positions follow from `kinds` tables of 2048 numbers each.
void bond(const float* tables, int kinds, float* positions, size_t count, int rounds, cudaStream_t stream);

/// A pass of a bitonic sort, one or two microseconds for 2^14 keys.
void scatterKeys(unsigned* keys, int count, unsigned seed, cudaStream_t stream);
void exchange(unsigned* keys, int count, int size, int stride, cudaStream_t stream);

/// What 16 neighbours do to each of some thousand atoms, one or two microseconds, and what follows from it.
void attract(const float4* atoms, float4* forces, int count, cudaStream_t stream);
void drift(float4* atoms, const float4* forces, const float* temperature, int count, cudaStream_t stream);

/// One block aligns a sequence to a profile of 256 letters, and changes the profile: 30000 letters take about
/// two milliseconds.
void align(float* profile, int letters, float* score, cudaStream_t stream);

/// Exclusive or of all values, into one for each of 512 blocks.
void checksum(const unsigned* values, size_t count, unsigned* sums, cudaStream_t stream);

/// A picture of half the size, by 32 blocks.
void shrink(const float* from, float* to, int width, int height, int rounds, cudaStream_t stream);

/// The sum of what is on the device.
template <class T>
double sumOf(const T* device, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (const T value : host)
        sum += double(value);
    return sum;
}

/// A graph of what issue() issues in this stream.
template <class F>
cudaGraphExec_t graphOf(cudaStream_t stream, F issue) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    issue();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

} // namespace twelfth
