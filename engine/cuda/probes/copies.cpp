// E03, E43: which copies return at once. A kernel blocks one stream; a copy is issued after it, or in another
// stream, and the host's time in the call is measured.
#include "probe_tools.h"

#include <functional>

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::size_t kMost = 16u << 20;

struct Size {
    const char* name;
    std::size_t bytes;
};
constexpr Size kSizes[] = {{"1KiB", 1u << 10},
                           {"64KiB", 64u << 10},
                           {"64KiB+4", (64u << 10) + 4},
                           {"1MiB", 1u << 20},
                           {"16MiB", kMost}};

struct Buffers {
    Memory device = Memory::device(kMost), pinned = Memory::pinned(kMost), pageable = Memory::pageable(kMost);
    Memory other = Memory::pageable(kMost);
    StreamHandle busy = nonBlocking(), free = nonBlocking();
    Buffers() {
        std::fill_n(pageable.as<char>(), kMost, '\1');
        std::fill_n(other.as<char>(), kMost, '\1');
    }
};

/// `work` while a kernel runs in `busy`: the host's time in it.
double behind(cudaStream_t busy, const std::function<void()>& work) {
    Spin kernel(kKernel);
    idle();
    kernel.launch(busy);
    kernel.awaitBegin();
    const double host = timed(work);
    idle();
    return host;
}

void measure(Numbers& numbers, const std::string& name, cudaStream_t busy,
             const std::function<void()>& work) {
    numbers.addMedian(name, rounds(numbers, [&] { return behind(busy, work); }));
}

void asynchronous(Numbers& numbers, Buffers& b, const Size& size) {
    const auto copy = [&](Memory& host, cudaMemcpyKind kind, cudaStream_t stream) {
        const bool in = kind == cudaMemcpyHostToDevice;
        check(cudaMemcpyAsync(in ? b.device.as<void>() : host.as<void>(),
                              in ? host.as<void>() : b.device.as<void>(), size.bytes, kind, stream),
              "copy");
    };
    const auto both = [&](const std::string& memory, Memory& host) {
        for (const cudaMemcpyKind kind : {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost}) {
            const std::string name =
                memory + (kind == cudaMemcpyHostToDevice ? ".h2d." : ".d2h.") + size.name;
            measure(numbers, name + ".behind", b.busy.get(), [&] { copy(host, kind, b.busy.get()); });
            measure(numbers, name + ".beside", b.busy.get(), [&] { copy(host, kind, b.free.get()); });
        }
    };
    both("pinned", b.pinned);
    both("pageable", b.pageable);
}

/// cudaMemcpy after a kernel in the NULL stream.
void synchronous(Numbers& numbers, Buffers& b, const Size& size) {
    const auto in = [&](const std::string& memory, Memory& host) {
        measure(numbers, "sync." + memory + ".h2d." + size.name, cudaStreamLegacy, [&] {
            check(cudaMemcpy(b.device.as<void>(), host.as<void>(), size.bytes, cudaMemcpyHostToDevice),
                  "copy");
        });
    };
    in("pinned", b.pinned);
    in("pageable", b.pageable);
}

/// The host counts while the device copies: how much it achieves meanwhile.
void workMeanwhile(Numbers& numbers, Buffers& b) {
    std::uint64_t counted = 0;
    check(cudaMemcpyAsync(b.device.as<void>(), b.pinned.as<void>(), kMost, cudaMemcpyHostToDevice,
                          b.free.get()),
          "copy");
    while (cudaStreamQuery(b.free.get()) == cudaErrorNotReady)
        ++counted;
    cudaGetLastError();
    numbers.add("queries_while_copying", static_cast<double>(counted));
}

} // namespace

void probeCopies(Numbers& numbers) {
    Buffers buffers;
    numbers.add("kernel", static_cast<double>(kKernel));
    double done = 0;
    for (const Size& size : kSizes) {
        numbers.step(done++ / static_cast<double>(std::size(kSizes)), std::string("copies of ") + size.name);
        asynchronous(numbers, buffers, size);
        synchronous(numbers, buffers, size);
    }
    measure(numbers, "memset.behind", buffers.busy.get(), [&] {
        check(cudaMemsetAsync(buffers.device.as<void>(), 0, kMost, buffers.busy.get()), "set memory");
    });
    measure(numbers, "host_to_host.behind", buffers.busy.get(), [&] {
        check(cudaMemcpyAsync(buffers.other.as<void>(), buffers.pageable.as<void>(), 1 << 20,
                              cudaMemcpyHostToHost, buffers.busy.get()),
              "copy");
    });
    measure(numbers, "nothing.behind", buffers.busy.get(), [] {});
    measure(numbers, "wait.behind", buffers.busy.get(),
            [&] { check(cudaStreamSynchronize(buffers.busy.get()), "wait for a stream"); });
    workMeanwhile(numbers, buffers);
}

} // namespace olab::cuda::probes
