// E20, E21, E22: host functions: when they run, on which thread, what they block, and what CUDA calls in them
// return.
#include "probe_tools.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = kMs, kFunction = 4 * kMs;

/// What a host function records.
struct Visit {
    Ns length = 0;
    std::atomic<Ns> begin{0}, end{0};
    std::atomic<long> thread{0};
    bool kernelHadEnded = false;
    const Spin* kernel = nullptr;
    static void CUDART_CB run(void* self) {
        Visit& v = *static_cast<Visit*>(self);
        if (v.kernel)
            v.kernelHadEnded = v.kernel->hasEnded();
        v.thread = ::syscall(SYS_gettid);
        v.begin = steadyNow();
        while (steadyNow() - v.begin < v.length) {
        }
        v.end = steadyNow();
    }
    void launch(cudaStream_t stream) {
        check(cudaLaunchHostFunc(stream, run, this), "launch a host function");
    }
};

/// Kernel, host function, kernel in one stream.
void inItsStream(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    std::vector<double> after, held, launch;
    double otherThread = 1;
    for (int i = 0; i < kRounds; ++i) {
        Spin before(kKernel), behind(kKernel / 10);
        Visit visit;
        visit.length = kFunction;
        visit.kernel = &before;
        idle();
        before.launch(stream.get());
        launch.push_back(timed([&] { visit.launch(stream.get()); }));
        behind.launch(stream.get());
        while (visit.end == 0)
            std::this_thread::yield();
        idle();
        after.push_back(yes(visit.kernelHadEnded));
        // The next kernel begins when the function has ended: their distance by the device's clock.
        held.push_back(delayOf(before, behind));
        otherThread = std::min(otherThread, yes(visit.thread != ::syscall(SYS_gettid)));
    }
    numbers.addMedian("callback.kernel_had_ended", after);
    numbers.addMedian("callback.next_kernel_delay", held);
    numbers.addMedian("callback.launch.host", launch);
    numbers.add("callback.length", static_cast<double>(kFunction));
    numbers.add("callback.other_thread", otherThread);
}

/// Two functions of two streams.
void together(Numbers& numbers) {
    const StreamHandle a = nonBlocking(), b = nonBlocking();
    std::vector<double> same, apart;
    for (int i = 0; i < kRounds; ++i) {
        Visit first, second;
        first.length = second.length = kFunction;
        idle();
        first.launch(a.get());
        second.launch(b.get());
        idle();
        same.push_back(yes(first.thread == second.thread));
        apart.push_back(static_cast<double>(std::abs(second.begin - first.begin)));
    }
    numbers.addMedian("callbacks.same_thread", same);
    numbers.addMedian("callbacks.begin_difference", apart);
}

/// While a function runs in one stream: work of another, and calls of this thread.
void besides(Numbers& numbers) {
    const StreamHandle a = nonBlocking(), b = nonBlocking();
    Memory device = Memory::device(1 << 16), host = Memory::pinned(1 << 16);
    std::vector<double> kernelDelay, copyHost, allocHost;
    for (int i = 0; i < kRounds; ++i) {
        Spin kernel(kKernel / 10);
        Visit visit;
        visit.length = kFunction;
        idle();
        visit.launch(a.get());
        while (visit.begin == 0)
            std::this_thread::yield();
        kernel.reset();
        const Ns issued = steadyNow();
        kernel.launch(b.get());
        kernel.awaitBegin();
        kernelDelay.push_back(static_cast<double>(steadyNow() - issued));
        copyHost.push_back(timed([&] {
            check(
                cudaMemcpyAsync(device.as<void>(), host.as<void>(), 1 << 16, cudaMemcpyHostToDevice, b.get()),
                "copy");
        }));
        void* made = nullptr;
        allocHost.push_back(timed([&] { check(cudaMalloc(&made, 1 << 20), "allocate"); }));
        idle();
        cudaFree(made);
    }
    numbers.addMedian("callback.other_stream_kernel_delay", kernelDelay);
    numbers.addMedian("callback.other_stream_copy.host", copyHost);
    numbers.addMedian("callback.malloc_meanwhile.host", allocHost);
}

/// A CUDA call in a host function is not allowed; reports its result, or that there was none within 2 s.
void callInside(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    static std::atomic<int> answer{-1};
    const auto function = [](void*) {
        void* made = nullptr;
        answer = cudaMalloc(&made, 1 << 20);
    };
    check(cudaLaunchHostFunc(stream.get(), function, nullptr), "launch a host function");
    for (const Ns until = steadyNow() + 2'000 * kMs; answer < 0 && steadyNow() < until;)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    numbers.add("callback.cuda_call_inside.error", answer);
    if (answer < 0)
        throw Error(ErrorKind::DeviceFailed, "deadlock", "A CUDA call in a host function never returned.");
}

} // namespace

void probeCallbacks(Numbers& numbers) {
    inItsStream(numbers);
    numbers.step(0.3, "two host functions");
    together(numbers);
    besides(numbers);
    numbers.step(0.8, "a CUDA call in a host function");
    callInside(numbers);
}

} // namespace olab::cuda::probes
