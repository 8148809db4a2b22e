// What the third set of programs is made of: memory, streams and events that free themselves, and kernels.
#pragma once

#include "programs.h"

#include <algorithm>
#include <cstdint>

namespace third {

struct FreeDevice {
    void operator()(void* memory) const { cudaFree(memory); }
};
struct FreePinned {
    void operator()(void* memory) const { cudaFreeHost(memory); }
};
template <class T>
using OnDevice = std::unique_ptr<T[], FreeDevice>;
template <class T>
using Pinned = std::unique_ptr<T[], FreePinned>;

template <class T>
OnDevice<T> onDevice(size_t count) {
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    CHECK(cudaMemset(memory, 0, count * sizeof(T)));
    CHECK(cudaDeviceSynchronize());
    return OnDevice<T>(static_cast<T*>(memory));
}

/// Zeros, so that all pages are there.
template <class T>
Pinned<T> pinned(size_t count) {
    void* memory = nullptr;
    CHECK(cudaMallocHost(&memory, count * sizeof(T)));
    T* values = static_cast<T*>(memory);
    std::fill(values, values + count, T());
    return Pinned<T>(values);
}

class Stream {
public:
    explicit Stream(unsigned flags = cudaStreamNonBlocking) {
        CHECK(cudaStreamCreateWithFlags(&stream_, flags));
    }
    ~Stream() {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

class Event {
public:
    Event() { CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return event_; }
    void record(cudaStream_t stream) const { CHECK(cudaEventRecord(event_, stream)); }
    void holdUp(cudaStream_t stream) const { CHECK(cudaStreamWaitEvent(stream, event_, 0)); }
    void await() const { CHECK(cudaEventSynchronize(event_)); }

private:
    cudaEvent_t event_ = nullptr;
};

/// An event that knows when it was.
class Clock {
public:
    Clock() { CHECK(cudaEventCreate(&event_)); }
    ~Clock() { cudaEventDestroy(event_); }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    void record(cudaStream_t stream) const { CHECK(cudaEventRecord(event_, stream)); }
    void await() const { CHECK(cudaEventSynchronize(event_)); }
    float since(const Clock& before) const {
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, before.event_, event_));
        return milliseconds;
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// One sweep over a square of `side` values.
void relax(const float* from, float* to, int side, cudaStream_t stream);
/// The largest difference; `largest` must be 0 before.
void difference(const float* a, const float* b, size_t count, float* largest, cudaStream_t stream);

/// Mean of the pixels around each one, near ones and alike ones count more.
void denoise(const uint8_t* from, uint8_t* to, int width, int height, int radius, cudaStream_t stream);

/// All bodies attract each other; 128 bodies a block.
void attract(const float4* bodies, float4* speeds, int count, cudaStream_t stream);
void advance(float4* bodies, const float4* speeds, int count, cudaStream_t stream);
void energy(const float4* speeds, int count, float* sum, cudaStream_t stream);

/// The spectrum of each row of 1024 complex values, in place.
void transform(float2* rows, int count, cudaStream_t stream);
void power(const float2* rows, size_t count, float* sum, cudaStream_t stream);

/// A partition of a join: 64 blocks each. The table has a power of two of slots.
void plan(int* sizes, cudaStream_t stream);
void build(unsigned* table, unsigned slots, unsigned keys, cudaStream_t stream);
void probe(const unsigned* table, unsigned slots, unsigned rows, const int* sizes, unsigned* found,
           cudaStream_t stream);

/// The best of `items` columns for each of `rows` vectors of 256 values; rows come in sixteens.
void score(const float* vectors, int rows, const float* columns, int items, int* best, cudaStream_t stream);

/// A picture of 811008 pixels times `layers`, by a grid that fills the device.
void shade(float* pixels, const float* scene, int layers, int rounds, cudaStream_t stream);

/// Values looked up in a table of `entries`, `rounds` times a thread.
void lookUp(const float* table, size_t entries, float* values, size_t count, int rounds, cudaStream_t stream);
void settle(float* table, size_t entries, cudaStream_t stream);

} // namespace third
