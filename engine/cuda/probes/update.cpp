// E26: two kernels of two streams that read, change and write the same data, as in source text 004; and the
// copies behind them, each in the stream of its kernel.
#include "probe_tools.h"

#include <olab/kernels/helper_kernels.h>

namespace olab::cuda::probes {
namespace {

constexpr std::uint32_t kCount = 1 << 14, kStart = 10;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);
constexpr int kTries = 20;
constexpr Ns kWork = 50 * kUs;

/// After times two and plus one, in either order.
bool isSerial(std::uint32_t value) {
    return value == 2 * kStart + 1 || value == 2 * (kStart + 1);
}

/// Two kernels that change the same data, held at a gate until its value is 1.
void launchBoth(Memory& data, const std::uint32_t* start, Mapped<std::uint32_t>& gate, EventHandle& open,
                cudaStream_t a, cudaStream_t b, cudaStream_t gated) {
    check(cudaMemcpy(data.as<void>(), start, kBytes, cudaMemcpyHostToDevice), "copy");
    check(kernels::launchGate(gate.get(), gated), "launch the gate");
    check(cudaEventRecord(open.get(), gated), "record an event");
    for (const cudaStream_t stream : {a, b})
        check(cudaStreamWaitEvent(stream, open.get(), 0), "make a stream wait");
    check(kernels::launchUpdate(data.as<std::uint32_t>(), kCount, 2, 0, kWork, a), "launch");
    check(kernels::launchUpdate(data.as<std::uint32_t>(), kCount, 1, 1, kWork, b), "launch");
}

/// The number of tries in which some element had a value that neither order gives.
double wrongTries(cudaStream_t a, cudaStream_t b, cudaStream_t gated) {
    Memory data = Memory::device(kBytes), host = Memory::pinned(kBytes);
    auto* const values = host.as<std::uint32_t>();
    EventHandle open(cudaEventDisableTiming);
    int wrong = 0;
    for (int i = 0; i < kTries; ++i) {
        Mapped<std::uint32_t> gate;
        std::fill_n(values, kCount, kStart);
        launchBoth(data, values, gate, open, a, b, gated);
        std::atomic_ref<std::uint32_t>(gate[0]).store(1);
        idle();
        check(cudaMemcpy(values, data.as<void>(), kBytes, cudaMemcpyDeviceToHost), "copy");
        wrong += std::all_of(values, values + kCount, isSerial) ? 0 : 1;
    }
    return wrong;
}

/// The number of tries in which each copy brought what the kernel of its own stream alone makes of the data.
double ownTries(cudaStream_t a, cudaStream_t b, cudaStream_t gated) {
    Memory data = Memory::device(kBytes), start = Memory::pinned(kBytes);
    Memory first = Memory::pinned(kBytes), second = Memory::pinned(kBytes);
    std::fill_n(start.as<std::uint32_t>(), kCount, kStart);
    EventHandle open(cudaEventDisableTiming);
    int own = 0;
    for (int i = 0; i < kTries; ++i) {
        Mapped<std::uint32_t> gate;
        launchBoth(data, start.as<std::uint32_t>(), gate, open, a, b, gated);
        check(cudaMemcpyAsync(first.as<void>(), data.as<void>(), kBytes, cudaMemcpyDeviceToHost, a), "copy");
        check(cudaMemcpyAsync(second.as<void>(), data.as<void>(), kBytes, cudaMemcpyDeviceToHost, b), "copy");
        std::atomic_ref<std::uint32_t>(gate[0]).store(1);
        idle();
        own += shareOf(first.as<std::uint32_t>(), kCount, 2 * kStart) == 1 &&
                       shareOf(second.as<std::uint32_t>(), kCount, kStart + 1) == 1
                   ? 1
                   : 0;
    }
    return own;
}

} // namespace

void probeUpdate(Numbers& numbers) {
    const StreamHandle a = nonBlocking(), b = nonBlocking(), gated = nonBlocking();
    numbers.add("update.tries", kTries);
    numbers.add("update.two_streams.wrong_tries", wrongTries(a.get(), b.get(), gated.get()));
    numbers.add("update.one_stream.wrong_tries", wrongTries(a.get(), a.get(), gated.get()));
    numbers.add("update.two_copies.own_tries", ownTries(a.get(), b.get(), gated.get()));
}

} // namespace olab::cuda::probes
