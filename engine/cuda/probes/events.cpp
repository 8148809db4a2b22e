// E15, E16, E18, E19: what events do, what waits for them, and what they cost.
#include "probe_tools.h"

#include <olab/kernels/helper_kernels.h>
#include <olab/kernels/small_kernels.h>

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;

/// Who waits: the host or the stream.
void waits(Numbers& numbers) {
    const StreamHandle a = nonBlocking(), b = nonBlocking();
    EventHandle done;
    std::vector<double> edge, sync, lengths;
    const auto wait = [&] {
        Spin first(kKernel), second(kKernel / 10);
        idle();
        first.launch(a.get());
        check(cudaEventRecord(done.get(), a.get()), "record an event");
        first.awaitBegin();
        const double host = timed([&] { cudaStreamWaitEvent(b.get(), done.get(), 0); });
        second.launch(b.get());
        sync.push_back(timed([&] { cudaEventSynchronize(done.get()); }));
        idle();
        edge.push_back(delayOf(first, second));
        lengths.push_back(static_cast<double>(first.end() - first.begin()));
        return host;
    };
    numbers.addMedian("wait_event.host", rounds(numbers, wait));
    numbers.addMedian("wait_event.dependent_delay", edge);
    numbers.addMedian("event_sync.host", sync);
    numbers.addMedian("wait_event.kernel", lengths);
}

/// What an event represents: never recorded, one kernel of two, recorded again.
void captures(Numbers& numbers) {
    const StreamHandle a = nonBlocking();
    EventHandle never, between, last;
    numbers.addMedian("event_sync.never_recorded",
                      rounds(numbers, [&] { return timed([&] { cudaEventSynchronize(never.get()); }); }));
    std::vector<double> firstDone, lastDone;
    const auto two = [&] {
        Spin first(kKernel), second(kKernel);
        idle();
        first.launch(a.get());
        check(cudaEventRecord(between.get(), a.get()), "record an event");
        second.launch(a.get());
        check(cudaEventRecord(last.get(), a.get()), "record an event");
        check(cudaEventSynchronize(between.get()), "wait for an event");
        firstDone.push_back(yes(first.hasEnded()));
        const double busy = yes(cudaStreamQuery(a.get()) == cudaErrorNotReady);
        cudaGetLastError();
        check(cudaEventSynchronize(last.get()), "wait for an event");
        lastDone.push_back(yes(first.hasEnded() && second.hasEnded()));
        return busy;
    };
    numbers.addMedian("event.stream_still_busy", rounds(numbers, two));
    numbers.addMedian("event.work_before_it_done", firstDone);
    numbers.addMedian("event.all_before_it_done", lastDone);
}

constexpr int kEdges = 100; ///< three queue entries each, all behind a closed gate

/// Per pair of kernels, with a wait of a stream for its own event between them or without, ns.
double chain(cudaStream_t stream, bool waits) {
    Mapped<std::uint32_t> gate;
    EventHandle begin, end;
    EventHandle edge(cudaEventDisableTiming);
    idle();
    check(kernels::launchGate(gate.get(), stream), "launch the gate");
    check(cudaEventRecord(begin.get(), stream), "record an event");
    for (int i = 0; i < kEdges; ++i) {
        check(kernels::launch(kernels::nullLaunch(), nullptr, stream), "launch a kernel");
        if (waits) {
            check(cudaEventRecord(edge.get(), stream), "record an event");
            check(cudaStreamWaitEvent(stream, edge.get(), 0), "make the stream wait");
        }
    }
    check(cudaEventRecord(end.get(), stream), "record an event");
    std::atomic_ref<std::uint32_t>(gate[0]).store(1);
    idle();
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "read the time");
    return static_cast<double>(ms) * static_cast<double>(kMs) / kEdges;
}

void redundantWait(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    numbers.addMedian("chain.plain", rounds(numbers, [&] { return chain(stream.get(), false); }));
    numbers.addMedian("chain.waiting", rounds(numbers, [&] { return chain(stream.get(), true); }));
    numbers.addDifference("chain.wait", "chain.waiting", "chain.plain");
}

enum class Who : bool { Stream, Host };

/// From the end of a kernel to the end of a small copy back, ns: in stream order, or with the host in
/// between.
double kernelToCopy(cudaStream_t stream, Memory& device, Memory& host, Who who) {
    constexpr std::size_t kBytes = 4096;
    Spin kernel(kMs / 2);
    EventHandle computed, copied;
    idle();
    kernel.launch(stream);
    check(cudaEventRecord(computed.get(), stream), "record an event");
    if (who == Who::Host)
        check(cudaEventSynchronize(computed.get()), "wait for the kernel");
    check(cudaMemcpyAsync(host.as<void>(), device.as<void>(), kBytes, cudaMemcpyDeviceToHost, stream),
          "copy");
    check(cudaEventRecord(copied.get(), stream), "record an event");
    idle();
    float ms = 0;
    check(cudaEventElapsedTime(&ms, computed.get(), copied.get()), "read the time");
    return static_cast<double>(ms) * static_cast<double>(kMs);
}

void hostWait(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    Memory device = Memory::device(4096), host = Memory::pinned(4096);
    numbers.addMedian("kernel_to_copy.stream_order",
                      rounds(numbers, [&] { return kernelToCopy(stream.get(), device, host, Who::Stream); }));
    numbers.addMedian("kernel_to_copy.host_wait",
                      rounds(numbers, [&] { return kernelToCopy(stream.get(), device, host, Who::Host); }));
    numbers.addDifference("kernel_to_copy.bubble", "kernel_to_copy.host_wait", "kernel_to_copy.stream_order");
}

} // namespace

void probeEvents(Numbers& numbers) {
    waits(numbers);
    captures(numbers);
    numbers.step(0.5, "chains of kernels");
    redundantWait(numbers);
    hostWait(numbers);
}

} // namespace olab::cuda::probes
