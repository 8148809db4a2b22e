// E27, E28, E30: what is specific to one of two GPUs: synchronisation, launches, transfer rates, page-locked
// memory that was not allocated as portable.
#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

constexpr std::size_t kBytes = 256u << 20;

/// Work on the second GPU, and a wait for the first.
void synchronisation(Numbers& numbers) {
    check(cudaSetDevice(1), "use the second GPU");
    const StreamHandle there = nonBlocking();
    std::vector<double> stillBusy, waited;
    for (int i = 0; i < kRounds; ++i) {
        Spin kernel(20 * kMs);
        check(cudaSetDevice(1), "use the second GPU");
        idle();
        kernel.launch(there.get());
        kernel.awaitBegin();
        check(cudaSetDevice(0), "use the first GPU");
        waited.push_back(timed([] { idle(); }));
        stillBusy.push_back(yes(cudaStreamQuery(there.get()) == cudaErrorNotReady));
        cudaGetLastError();
        check(cudaSetDevice(1), "use the second GPU");
        idle();
    }
    numbers.addMedian("device_sync.first.host", waited);
    numbers.addMedian("device_sync.second_still_busy", stillBusy);
}

/// Kernels on both at once, by the host's clock: two GPUs have no common clock.
void independence(Numbers& numbers) {
    constexpr Ns kKernel = 10 * kMs;
    check(cudaSetDevice(0), "use the first GPU");
    const StreamHandle a = nonBlocking();
    check(cudaSetDevice(1), "use the second GPU");
    const StreamHandle b = nonBlocking();
    const auto both = [&] {
        Spin first(kKernel), second(kKernel);
        return timed([&] {
            check(cudaSetDevice(0), "use the first GPU");
            first.launch(a.get());
            check(cudaSetDevice(1), "use the second GPU");
            second.launch(b.get());
            idle();
            check(cudaSetDevice(0), "use the first GPU");
            idle();
        });
    };
    const auto oneAfterTheOther = [&] {
        Spin first(kKernel), second(kKernel);
        check(cudaSetDevice(0), "use the first GPU");
        return timed([&] {
            first.launch(a.get());
            second.launch(a.get());
            idle();
        });
    };
    numbers.add("two_kernels.one", static_cast<double>(kKernel));
    numbers.addMedian("two_kernels.same_stream", rounds(numbers, oneAfterTheOther));
    numbers.addMedian("two_kernels.both", rounds(numbers, both));
    // A launch into a stream of the other GPU.
    check(cudaSetDevice(0), "use the first GPU");
    Spin wrong(kUs);
    wrong.reset();
    numbers.add("launch_into_stream_of_other.error", kernels::launchSpin(wrong.stamps(), kUs, b.get()));
    cudaGetLastError();
    check(cudaSetDevice(1), "use the second GPU");
    idle();
}

struct Side {
    int device = 0;
    Memory memory, host;
    StreamHandle stream;
    explicit Side(int number)
        : device(number) {
        check(cudaSetDevice(device), "use the GPU");
        memory = Memory::device(kBytes);
        host = Memory::pinned(kBytes, cudaHostAllocPortable);
        std::fill_n(host.as<char>(), kBytes, '\1');
        stream = nonBlocking();
    }
    void copy() {
        check(cudaSetDevice(device), "use the GPU");
        check(
            cudaMemcpyAsync(memory.as<void>(), host.as<void>(), kBytes, cudaMemcpyHostToDevice, stream.get()),
            "copy");
    }
    void wait() {
        check(cudaSetDevice(device), "use the GPU");
        idle();
    }
};

void rates(Numbers& numbers) {
    Side a(0), b(1);
    const auto alone = [&](Side& side) {
        return timed([&] {
            side.copy();
            side.wait();
        });
    };
    numbers.addMedian("h2d.first_alone", rounds(numbers, [&] { return alone(a); }));
    numbers.addMedian("h2d.second_alone", rounds(numbers, [&] { return alone(b); }));
    numbers.addMedian("h2d.both", rounds(numbers, [&] {
                          return timed([&] {
                              a.copy();
                              b.copy();
                              a.wait();
                              b.wait();
                          });
                      }));
    numbers.addRatio("h2d.both_ratio", "h2d.both", "h2d.first_alone");
}

/// Page-locked on the first GPU, not portable; read by a copy of the second.
void portable(Numbers& numbers) {
    check(cudaSetDevice(0), "use the first GPU");
    Memory host = Memory::pinned(kBytes);
    check(cudaSetDevice(1), "use the second GPU");
    Memory device = Memory::device(kBytes);
    const StreamHandle stream = nonBlocking();
    numbers.addMedian("not_portable.second_gpu.host", rounds(numbers, [&] {
                          idle();
                          const double taken = timed([&] {
                              check(cudaMemcpyAsync(device.as<void>(), host.as<void>(), kBytes,
                                                    cudaMemcpyHostToDevice, stream.get()),
                                    "copy");
                          });
                          idle();
                          return taken;
                      }));
}

} // namespace

void probeTwoGpus(Numbers& numbers) {
    int count = 0;
    check(cudaGetDeviceCount(&count), "count the devices");
    if (count < 2)
        throw Error(ErrorKind::Usage, "needs-two-gpus", "This needs two GPUs, and there is one.",
                    "Run it on a machine with two.");
    for (int device = 1; device >= 0; --device) {
        check(cudaSetDevice(device), "use the GPU");
        warmUp();
    }
    synchronisation(numbers);
    independence(numbers);
    rates(numbers);
    portable(numbers);
}

} // namespace olab::cuda::probes
