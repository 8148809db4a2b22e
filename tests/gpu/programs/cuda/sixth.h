// The kernels of the sixth set of programs. Memory, streams and events are those of the third.
#pragma once

#include "third.h"

namespace sixth {

constexpr int threads = 256;

/// 64 blocks, so that two such kernels run beside each other; 2^20 values and 2000 rounds take about 0.3 ms.
void smooth(float* values, size_t count, int rounds, cudaStream_t stream);
/// The sum of so many values, by one block.
void total(const float* values, int count, float* sum, cudaStream_t stream);

/// A list of neighbours by `count` points; 2^24 entries and 1000 rounds take about 0.7 ms.
void listNeighbours(const float* points, int count, unsigned* list, size_t entries, int rounds,
                    cudaStream_t stream);
/// Each entry of the list changes the point that it has, in about the same time.
void push(float* points, int count, const unsigned* list, size_t entries, int rounds, cudaStream_t stream);

/// A step of a field in time; 2^22 values and 15000 rounds take about 2.3 ms. `settings` are 4096 values.
void advanceField(const float* from, float* to, size_t count, const float* settings, int rounds,
                  cudaStream_t stream);

/// A sweep, and how much it changed: a value for each 256 of the field. 2^22 values and 6500 rounds take
/// about a millisecond.
void sweep(float* field, size_t count, int rounds, float* changes, cudaStream_t stream);

/// Copies to pinned memory or from it.
template <class T>
void toHost(T* host, const T* device, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
}
template <class T>
void toDevice(T* device, const T* host, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
}

} // namespace sixth
