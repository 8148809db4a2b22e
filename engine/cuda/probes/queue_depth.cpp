// E33: how much can be queued before the queueing call blocks. A gate blocks the stream; a thread that makes
// no CUDA call opens it if a call has not returned for a while.
#include "probe_tools.h"

#include <olab/kernels/gate_kernel.h>
#include <olab/kernels/small_kernels.h>

#include <functional>
#include <thread>

namespace olab::cuda::probes {
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
