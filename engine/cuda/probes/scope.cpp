// E42: what a synchronisation waits for, and whether the device pauses for it.
#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

/// A short kernel in one stream, a long one in another: was the long one done when the call returned?
void whoIsAwaited(Numbers& numbers) {
    const StreamHandle one = nonBlocking(), other = nonBlocking();
    std::vector<double> lengths;
    const auto longOneDone = [&](const auto& wait) {
        return rounds(numbers, [&] {
            Spin brief(kMs), lasting(4 * kMs);
            idle();
            lasting.launch(other.get());
            brief.launch(one.get());
            wait();
            const double done = yes(lasting.hasEnded());
            idle();
            lengths.push_back(static_cast<double>(lasting.end() - lasting.begin()));
            return done;
        });
    };
    numbers.addMedian("stream_sync.other_stream_done",
                      longOneDone([&] { check(cudaStreamSynchronize(one.get()), "wait for a stream"); }));
    numbers.addMedian("device_sync.other_stream_done",
                      longOneDone([&] { check(cudaDeviceSynchronize(), "wait for the device"); }));
    numbers.addMedian("scope.long_kernel", lengths);
}

constexpr int kLinks = 16;

/// The longest time between two kernels of a stream, while the host makes synchronous copies, or nothing, ns.
double longestGap(cudaStream_t stream, Memory& device, Memory& host, bool copies) {
    std::vector<Spin> links;
    for (int i = 0; i < kLinks; ++i)
        links.emplace_back(kMs / 4);
    idle();
    for (Spin& link : links)
        link.launch(stream);
    const StreamHandle own = nonBlocking();
    while (copies && cudaStreamQuery(stream) == cudaErrorNotReady) {
        check(cudaMemcpyAsync(device.as<void>(), host.as<void>(), device.bytes(), cudaMemcpyHostToDevice,
                              own.get()),
              "copy");
        check(cudaStreamSynchronize(own.get()), "wait for the copy");
    }
    cudaGetLastError();
    idle();
    double longest = 0;
    for (int i = 1; i < kLinks; ++i)
        longest = std::max(
            longest, delayOf(links[static_cast<std::size_t>(i) - 1], links[static_cast<std::size_t>(i)]));
    return longest;
}

} // namespace

void probeScope(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    Memory device = Memory::device(1 << 20), host = Memory::pinned(1 << 20);
    whoIsAwaited(numbers);
    numbers.addMedian("gap.quiet",
                      rounds(numbers, [&] { return longestGap(stream.get(), device, host, false); }));
    numbers.addMedian("gap.host_waits",
                      rounds(numbers, [&] { return longestGap(stream.get(), device, host, true); }));
}

} // namespace olab::cuda::probes
