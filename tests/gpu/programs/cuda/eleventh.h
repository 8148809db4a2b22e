// The kernels of the eleventh set of programs. Memory, streams and events are those of the third.
#pragma once

#include "sixth.h"

namespace eleventh {

constexpr int threads = 256;

/// Prices follow chance for so many moments, 256 paths a block. 100000 moments take about 0.6 ms, whatever
/// the number of blocks up to 132; 30000 moments of 1056 blocks take about 1.4 ms.
void follow(float* prices, int blocks, int moments, float spread, cudaStream_t stream);
/// The sum of `count` groups of paths of so many blocks, in the place of the first one.
void gather(float* prices, int blocks, int count, cudaStream_t stream);

/// The mean of all pixels up to `radius` away. 1920 x 1080 pixels and a radius of 18 take about 0.5 ms.
void soften(const float* from, float* to, int width, int height, int radius, cudaStream_t stream);
/// The sum of each row of a picture.
void profile(const float* picture, int width, int height, float* rows, cudaStream_t stream);

/// What the neighbours of each atom do to it; the list says how far away in the array each one is. 2^18 atoms
/// and 2048 neighbours take about 0.5 ms.
void pull(const float4* atoms, const int* list, int neighbours, float4* forces, int count,
          cudaStream_t stream);
/// Atoms move; a value of each 256 of them says how fast.
void move(float4* atoms, const float4* forces, int count, float* energies, cudaStream_t stream);
/// Atoms in a box and a list of neighbours, made by kernels.
void place(float4* atoms, int count, int* list, int neighbours, cudaStream_t stream);

/// One moment of a trellis of 1024 states: a few microseconds.
void survive(const float* before, float* after, const float* metrics, int moment, cudaStream_t stream);
/// How likely each of `count` bits is: 2^20 values and 4000 rounds take about 0.2 ms.
void likely(float* metrics, size_t count, int rounds, cudaStream_t stream);

/// Particles of 132 blocks move for so many moments and are counted in the cells where they are; 150000
/// moments take about a millisecond.
void deposit(unsigned* cells, unsigned mask, int moments, int number, cudaStream_t stream);
/// How many particles the first 2^16 cells have; the sum must be 0 before.
void counted(const unsigned* cells, unsigned* sum, cudaStream_t stream);

/// The largest value of each channel of so many samples, and 15 values around it.
void peaks(const float* samples, int channels, int count, int rounds, float* found, size_t pitch,
           cudaStream_t stream);

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

} // namespace eleventh
