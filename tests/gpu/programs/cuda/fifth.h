// The kernels of the fifth set of programs. Memory, streams and events are those of the third.
#pragma once

#include "fourth.h"

namespace fifth {

constexpr int plane = 512 * 512;

/// Planes `first` to `last` of a volume: each value moves towards its neighbours and reacts `rounds` times.
/// 112 planes and 1000 rounds take about a millisecond.
void react(const float* from, float* to, int first, int last, int rounds, cudaStream_t stream);

/// Values by a table of weights, a power of two of them. 2^24 values and 1024 rounds take about 3 ms.
void weigh(const float* values, float* result, size_t count, const float* table, int entries, int rounds,
           cudaStream_t stream);

/// Copies to pinned memory or from it.
template <class T>
void toHost(T* host, const T* device, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
}
template <class T>
void toDevice(T* device, const T* host, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
}

} // namespace fifth
