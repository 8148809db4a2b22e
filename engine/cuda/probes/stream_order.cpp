// E12: are operations of one stream ever reordered? A thousand times a memset with a new value and a kernel
// that checks it. The same in two streams shows that the check would detect reordering.
#include "probe_tools.h"

#include <olab/kernels/helper_kernels.h>
#include <olab/kernels/small_kernels.h>

#include <functional>
#include <thread>

namespace olab::cuda::probes {
namespace {

constexpr int kPairs = 1000;
constexpr std::uint32_t kCount = 1 << 14, kByte = 0x01010101u;

/// The share of values that differ from those of the preceding memset.
double wrongOf(cudaStream_t sets, cudaStream_t looks) {
    Memory values = Memory::device(kCount * sizeof(std::uint32_t));
    Memory found = Memory::device(sizeof(std::uint32_t));
    check(cudaMemset(found.as<void>(), 0, sizeof(std::uint32_t)), "clear the count");
    Spin holding(5 * kMs); // creates a queue, so that work that does not wait would come too early
    idle();
    holding.launch(sets);
    for (int i = 0; i < kPairs; ++i) {
        const std::uint32_t byte = static_cast<std::uint32_t>(i % 250) + 1;
        check(
            cudaMemsetAsync(values.as<void>(), static_cast<int>(byte), kCount * sizeof(std::uint32_t), sets),
            "set memory");
        check(kernels::launchCount(values.as<std::uint32_t>(), kCount, byte * kByte,
                                   found.as<std::uint32_t>(), looks),
              "launch the kernel that counts");
    }
    idle();
    std::uint32_t right = 0;
    check(cudaMemcpy(&right, found.as<void>(), sizeof right, cudaMemcpyDeviceToHost), "read the count");
    constexpr std::uint64_t kAll = std::uint64_t{kPairs} * kCount; // below 2^32: the count cannot wrap
    return static_cast<double>(kAll - right) / static_cast<double>(kAll);
}

} // namespace

void probeOrder(Numbers& numbers) {
    const StreamHandle one = nonBlocking(), other = nonBlocking();
    numbers.add("order.pairs", kPairs);
    numbers.add("order.one_stream.wrong", wrongOf(one.get(), one.get()));
    numbers.step(0.5, "the same in two streams");
    numbers.add("order.two_streams.wrong", wrongOf(one.get(), other.get()));
}

// E42: what a synchronisation waits for, and whether the device pauses for it.

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

// E33: how much can be queued before the queueing call blocks. A gate blocks the stream; a thread that makes
// no CUDA call opens it if a call has not returned for a while.

namespace {

constexpr int kMost = 20'000;
constexpr Ns kStuck = 20 * kMs;

class Held {
public:
    explicit Held(cudaStream_t stream) {
        check(kernels::launchGate(m_gate.get(), stream), "launch the gate");
        m_watchdog = std::jthread([this](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                const Ns since = m_since;
                if (since != 0 && steadyNow() - since > kStuck)
                    return open();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            open();
        });
    }
    double during(const std::function<void()>& call) {
        m_since = steadyNow();
        const double taken = timed(call);
        m_since = 0;
        return taken;
    }

private:
    void open() { std::atomic_ref<std::uint32_t>(m_gate[0]).store(1); }
    Mapped<std::uint32_t> m_gate;
    std::atomic<Ns> m_since{0};
    std::jthread m_watchdog; ///< last: it uses all of the above
};

/// How many calls return immediately; kMost: all that were tried.
double depthOf(cudaStream_t stream, const std::function<void()>& call) {
    idle();
    int count = 0;
    {
        Held held(stream);
        while (count < kMost && held.during(call) < static_cast<double>(kStuck) / 2)
            ++count;
    }
    idle();
    return count;
}

} // namespace

void probeQueueDepth(Numbers& numbers) {
    constexpr std::size_t kBytes = 4096;
    const StreamHandle s = nonBlocking();
    Memory device = Memory::device(kBytes), host = Memory::pinned(kBytes);
    numbers.add("depth.most_tried", kMost);
    numbers.add("depth.kernels", depthOf(s.get(), [&] {
                    check(kernels::launch(kernels::nullLaunch(), nullptr, s.get()), "launch a kernel");
                }));
    numbers.step(0.4, "queueing copies");
    numbers.add("depth.copies", depthOf(s.get(), [&] {
                    check(cudaMemcpyAsync(device.as<void>(), host.as<void>(), kBytes, cudaMemcpyHostToDevice,
                                          s.get()),
                          "copy");
                }));
    numbers.step(0.7, "queueing memsets");
    numbers.add("depth.memsets", depthOf(s.get(), [&] {
                    check(cudaMemsetAsync(device.as<void>(), 0, kBytes, s.get()), "set memory");
                }));
}

} // namespace olab::cuda::probes
