// The calls that the probe "calls" (E09, E10) makes between two kernels, and the objects that they use.
#pragma once

#include "probe_tools.h"

#include <functional>

namespace olab::cuda::probes {

inline constexpr std::size_t kSmall = 4096, kLarge = 1 << 20, kMost = 16 << 20; ///< bytes

/// The objects that calls use; created once, so that creation is not measured.
struct Things {
    StreamHandle first = nonBlocking(), second = nonBlocking(), third = nonBlocking();
    StreamHandle blockingFirst = blocking(), blockingSecond = blocking();
    StreamHandle urgent = highestPriority();
    EventHandle inFirst, early, earlier;
    Memory device = Memory::device(2 * kMost), pinned = Memory::pinned(kMost);
    Memory pageable = Memory::pageable(kMost);
    cudaStream_t running = nullptr; ///< the stream of the first kernel
    cudaStream_t stream = nullptr;  ///< the one that the call uses: a third one, or that of the first kernel

    // Made by prepare() or call(), freed by finish().
    void* made = nullptr;
    cudaStream_t madeStream = nullptr;
    cudaEvent_t madeEvent = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t runnable = nullptr;
    cudaMemPool_t pool = nullptr;
    cudaLibrary_t library = nullptr;
    void* module = nullptr;
    std::size_t limit = 0; ///< what cudaDeviceSetLimit changes

    Things();
    static StreamHandle highestPriority();
};

struct Call {
    std::string name;
    std::function<void(Things&)> call;
    std::function<void(Things&)> prepare{}, finish{};
    bool inStream = false; ///< takes a stream: also measured in that of the running kernel
    bool everySm = false;  ///< the first kernel has a block on every multiprocessor
    bool once = false;     ///< can be measured only once in a process
};
using Calls = std::vector<Call>;

Calls firstUseCalls(); ///< must be measured before all others
Calls questionCalls();
Calls makingCalls();
Calls poolCalls();
Calls workCalls();
Calls copyCalls();
Calls managedCalls();
Calls graphCalls();
Calls loadingCalls();
Calls settingCalls();

} // namespace olab::cuda::probes
