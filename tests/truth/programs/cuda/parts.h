// What the programs are made of: memory, streams, events and graphs that free themselves.
#pragma once

#include "programs.h"

#include <algorithm>

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

/// Memory that host and device share; its pages are nowhere yet.
template <class T>
OnDevice<T> managed(size_t count) {
    void* memory = nullptr;
    CHECK(cudaMallocManaged(&memory, count * sizeof(T)));
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

/// Pinned pieces with values of their own.
template <size_t N>
void fill(Pinned<float> (&pieces)[N], size_t count) {
    for (size_t n = 0; n < N; ++n) {
        pieces[n] = pinned<float>(count);
        std::fill(pieces[n].get(), pieces[n].get() + count, 0.5f + 0.2f * float(n));
    }
}

template <class T>
void toHost(T* host, const T* device, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
}

template <class T>
void toDevice(T* device, const T* host, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
}

template <class T>
void onDeviceTo(T* to, const T* from, size_t count, cudaStream_t stream) {
    CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream));
}

/// The sum of what is on the device, after all that was issued.
template <class T>
double sumOf(const OnDevice<T>& device, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), device.get(), count * sizeof(T), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (const T value : host)
        sum += double(value);
    return sum;
}

class Stream {
public:
    explicit Stream(unsigned flags = cudaStreamNonBlocking) {
        CHECK(cudaStreamCreateWithFlags(&stream_, flags));
    }
    Stream(unsigned flags, int priority) { CHECK(cudaStreamCreateWithPriority(&stream_, flags, priority)); }
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
    explicit Event(unsigned flags = cudaEventDisableTiming) {
        CHECK(cudaEventCreateWithFlags(&event_, flags));
    }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return event_; }
    void record(cudaStream_t stream) const { CHECK(cudaEventRecord(event_, stream)); }
    void holdUp(cudaStream_t stream) const { CHECK(cudaStreamWaitEvent(stream, event_, 0)); }
    void await() const { CHECK(cudaEventSynchronize(event_)); }
    /// What is issued to `then` comes after what was issued to `first`.
    void order(cudaStream_t first, cudaStream_t then) const {
        record(first);
        holdUp(then);
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// What is captured from a stream, to be launched again and again.
class Graph {
public:
    Graph() = default;
    ~Graph() { destroy(); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    template <class F>
    void build(cudaStream_t stream, const F& issue) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        issue();
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&exec_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    void launch(cudaStream_t stream) const { CHECK(cudaGraphLaunch(exec_, stream)); }
    void destroy() {
        if (exec_)
            CHECK(cudaGraphExecDestroy(exec_));
        exec_ = nullptr;
    }

private:
    cudaGraphExec_t exec_ = nullptr;
};
