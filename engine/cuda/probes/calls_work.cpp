// Calls that give the device work: kernels, memsets, copies, prefetches, graphs; and those that wait for it.
#include "call_cases.h"

#include <olab/kernels/small_kernels.h>

namespace olab::cuda::probes {
namespace {

struct CopySize {
    const char* name;
    std::size_t bytes;
};
constexpr CopySize kPageableSizes[] = {
    {"1KiB", 1u << 10}, {"64KiB", 64u << 10}, {"1MiB", kLarge}, {"16MiB", kMost}};
constexpr CopySize kPinnedSizes[] = {{"1MiB", kLarge}, {"16MiB", kMost}};

void launchNull(cudaStream_t stream) {
    check(kernels::launch(kernels::nullLaunch(), nullptr, stream), "launch a kernel");
}

/// With and without a stream, to the device and back.
void addCopies(Calls& calls, const std::string& name, std::size_t bytes, Memory Things::*memory) {
    const auto add = [&](cudaMemcpyKind kind, const std::string& direction) {
        const bool in = kind == cudaMemcpyHostToDevice;
        const auto to = [=](Things& t) { return in ? t.device.as<void>() : (t.*memory).as<void>(); };
        const auto from = [=](Things& t) { return in ? (t.*memory).as<void>() : t.device.as<void>(); };
        calls.push_back(
            {.name = "cudaMemcpyAsync." + direction + name,
             .call =
                 [=](Things& t) { check(cudaMemcpyAsync(to(t), from(t), bytes, kind, t.stream), "copy"); },
             .inStream = true});
        calls.push_back({.name = "cudaMemcpy." + direction + name,
                         .call = [=](Things& t) { check(cudaMemcpy(to(t), from(t), bytes, kind), "copy"); }});
    };
    const std::string kind = memory == &Things::pinned ? "pinned." : "pageable.";
    add(cudaMemcpyHostToDevice, kind + "h2d.");
    add(cudaMemcpyDeviceToHost, kind + "d2h.");
}

void prefetch(Things& t, std::size_t bytes, cudaMemLocationType where, cudaStream_t stream) {
    cudaMemLocation location{};
    location.type = where;
    if (where == cudaMemLocationTypeDevice)
        check(cudaGetDevice(&location.id), "ask for the device");
    check(cudaMemPrefetchAsync(t.made, bytes, location, 0, stream), "prefetch memory");
}
/// Managed memory whose pages are on the host.
void makeManaged(Things& t, std::size_t bytes) {
    check(cudaMallocManaged(&t.made, bytes), "allocate");
    std::fill_n(static_cast<char*>(t.made), bytes, '\1');
}
void addPrefetches(Calls& calls, const std::string& size, std::size_t bytes) {
    const auto finish = [](Things& t) { cudaFree(std::exchange(t.made, nullptr)); };
    calls.push_back({.name = "cudaMemPrefetchAsync.to_device." + size,
                     .call = [=](Things& t) { prefetch(t, bytes, cudaMemLocationTypeDevice, t.stream); },
                     .prepare = [=](Things& t) { makeManaged(t, bytes); },
                     .finish = finish,
                     .inStream = true});
    calls.push_back({.name = "cudaMemPrefetchAsync.to_host." + size,
                     .call = [=](Things& t) { prefetch(t, bytes, cudaMemLocationTypeHost, t.stream); },
                     .prepare =
                         [=](Things& t) {
                             makeManaged(t, bytes);
                             prefetch(t, bytes, cudaMemLocationTypeDevice, t.third.get());
                         },
                     .finish = finish,
                     .inStream = true});
}

constexpr int kGraphKernels = 10;

void captureGraph(Things& t) {
    check(cudaStreamBeginCapture(t.third.get(), cudaStreamCaptureModeThreadLocal), "capture a stream");
    for (int i = 0; i < kGraphKernels; ++i)
        launchNull(t.third.get());
    check(cudaStreamEndCapture(t.third.get(), &t.graph), "end a capture");
}
void instantiate(Things& t) {
    check(cudaGraphInstantiate(&t.runnable, t.graph, 0), "instantiate a graph");
}
void makeRunnable(Things& t) {
    captureGraph(t);
    instantiate(t);
}
void launchGraph(Things& t) {
    check(cudaGraphLaunch(t.runnable, t.stream), "launch a graph");
}
void makeLaunched(Things& t) {
    makeRunnable(t);
    launchGraph(t);
}
void dropGraph(Things& t) {
    if (t.runnable)
        cudaGraphExecDestroy(std::exchange(t.runnable, nullptr));
    cudaGraphDestroy(std::exchange(t.graph, nullptr));
}

} // namespace

Calls workCalls() {
    return {
        {.name = "cudaEventRecord",
         .call = [](Things& t) { cudaEventRecord(t.early.get(), t.stream); },
         .inStream = true},
        {.name = "cudaStreamWaitEvent",
         .call = [](Things& t) { cudaStreamWaitEvent(t.stream, t.inFirst.get(), 0); },
         .inStream = true},
        {.name = "cudaMemsetAsync",
         .call = [](Things& t) { cudaMemsetAsync(t.device.as<void>(), 0, kSmall, t.stream); },
         .inStream = true},
        {.name = "cudaLaunchHostFunc",
         .call =
             [](Things& t) {
                 cudaLaunchHostFunc(
                     t.stream, [](void*) {}, nullptr);
             },
         .inStream = true},
        {.name = "kernel_launch", .call = [](Things& t) { launchNull(t.stream); }, .inStream = true},
        {"kernel_launch.highest_priority", [](Things& t) { launchNull(t.urgent.get()); }},
        {.name = "first_kernel_launch",
         .call =
             [](Things& t) {
                 static std::uint32_t next = 0;
                 check(kernels::launch(kernels::firstLaunch(next++), nullptr, t.stream), "launch a kernel");
             },
         .inStream = true},
        {"cudaMemset", [](Things& t) { cudaMemset(t.device.as<void>(), 0, kSmall); }},
        {"null_stream_kernel", [](Things&) { launchNull(cudaStreamLegacy); }},
        {"cudaEventSynchronize", [](Things& t) { cudaEventSynchronize(t.inFirst.get()); }},
        {"cudaStreamSynchronize.idle", [](Things& t) { cudaStreamSynchronize(t.second.get()); }},
        {"cudaStreamSynchronize.busy", [](Things& t) { cudaStreamSynchronize(t.running); }},
        {"cudaDeviceSynchronize", [](Things&) { cudaDeviceSynchronize(); }},
    };
}

Calls copyCalls() {
    Calls calls;
    for (const CopySize& size : kPageableSizes)
        addCopies(calls, size.name, size.bytes, &Things::pageable);
    for (const CopySize& size : kPinnedSizes)
        addCopies(calls, size.name, size.bytes, &Things::pinned);
    calls.push_back({"cudaMemcpy.device_to_device", [](Things& t) {
                         cudaMemcpy(t.device.as<char>(), t.device.as<char>() + kMost, kSmall,
                                    cudaMemcpyDeviceToDevice);
                     }});
    return calls;
}

Calls managedCalls() {
    Calls calls;
    addPrefetches(calls, "1MiB", kLarge);
    addPrefetches(calls, "16MiB", kMost);
    return calls;
}

Calls graphCalls() {
    return {
        {"stream_capture", captureGraph, {}, dropGraph},
        {"cudaGraphInstantiate", instantiate, captureGraph, dropGraph},
        {.name = "cudaGraphUpload",
         .call = [](Things& t) { check(cudaGraphUpload(t.runnable, t.stream), "upload a graph"); },
         .prepare = makeRunnable,
         .finish = dropGraph,
         .inStream = true},
        {.name = "cudaGraphLaunch.first",
         .call = launchGraph,
         .prepare = makeRunnable,
         .finish = dropGraph,
         .inStream = true},
        {.name = "cudaGraphLaunch.again",
         .call = launchGraph,
         .prepare = makeLaunched,
         .finish = dropGraph,
         .inStream = true},
        {"cudaGraphExecUpdate",
         [](Things& t) {
             cudaGraphExecUpdateResultInfo ignored{};
             check(cudaGraphExecUpdate(t.runnable, t.graph, &ignored), "update a graph");
         },
         makeRunnable, dropGraph},
        {"cudaGraphExecDestroy", [](Things& t) { cudaGraphExecDestroy(std::exchange(t.runnable, nullptr)); },
         makeRunnable, dropGraph},
    };
}

} // namespace olab::cuda::probes
