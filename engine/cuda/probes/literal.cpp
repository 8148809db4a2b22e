// E17, E46: the code of source text 003: a copy in `stream`, a kernel of 3 ms launched without a stream, a
// wait for `stream`, the copy back in `stream`. What the second example leaves at its end is looked at apart,
// with other work before the last copy.
#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::uint32_t kCount = 1 << 14, kValue = 21;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);

struct Example {
    Memory in = Memory::pinned(kBytes), out = Memory::pinned(kBytes);
    Memory deviceIn = Memory::device(kBytes), deviceOut = Memory::device(kBytes);
    Example() { std::fill_n(in.as<std::uint32_t>(), kCount, kValue); }
    void startAnew() {
        std::fill_n(out.as<std::uint32_t>(), kCount, 0u);
        check(cudaMemset(deviceIn.as<void>(), 0, kBytes), "clear the input");
        check(cudaMemset(deviceOut.as<void>(), 0, kBytes), "clear the output");
        idle();
    }
    void copyIn(cudaStream_t stream) {
        check(cudaMemcpyAsync(deviceIn.as<void>(), in.as<void>(), kBytes, cudaMemcpyHostToDevice, stream),
              "copy");
    }
    void compute(Spin& stamps, cudaStream_t stream) {
        check(kernels::launchDouble(deviceIn.as<std::uint32_t>(), deviceOut.as<std::uint32_t>(), kCount,
                                    static_cast<std::uint64_t>(kKernel), stamps.stamps(), stream),
              "launch the kernel");
    }
    void copyOut(cudaStream_t stream) {
        check(cudaMemcpyAsync(out.as<void>(), deviceOut.as<void>(), kBytes, cudaMemcpyDeviceToHost, stream),
              "copy");
    }
    double right() const { return shareOf(out.as<std::uint32_t>(), kCount, 2 * kValue); }
};

struct Seen {
    std::vector<double> early, right;
    void add(Numbers& numbers, const std::string& name) {
        early.erase(early.begin());
        right.erase(right.begin());
        numbers.addMedian(name + ".returned_before_kernel_end", early);
        numbers.addMedian(name + ".right", right);
    }
};

/// Example 1.
void first(Numbers& numbers, const char* name, cudaStream_t stream, cudaStream_t launchedIn) {
    Example e;
    Seen seen;
    for (int i = 0; i < kRounds; ++i) {
        Spin stamps(kKernel);
        e.startAnew();
        e.copyIn(stream);
        e.compute(stamps, launchedIn);
        check(cudaStreamSynchronize(stream), "wait for the stream");
        seen.early.push_back(yes(!stamps.hasEnded()));
        e.copyOut(stream);
        check(cudaStreamSynchronize(stream), "wait for the stream");
        seen.right.push_back(e.right());
        idle();
    }
    seen.add(numbers, std::string("example1.") + name);
}

/// Example 2 up to its last copy: the event after the kernel is recorded in `stream`. True: the wait for it
/// returned before the kernel had ended.
bool secondUpToCopy(Example& e, Spin& stamps, cudaStream_t stream) {
    EventHandle copied, computed;
    e.startAnew();
    e.copyIn(stream);
    check(cudaEventRecord(copied.get(), stream), "record an event");
    check(cudaStreamWaitEvent(stream, copied.get(), 0), "make the stream wait");
    e.compute(stamps, cudaStreamLegacy);
    check(cudaEventRecord(computed.get(), stream), "record an event");
    check(cudaEventSynchronize(computed.get()), "wait for the event");
    return !stamps.hasEnded();
}

void second(Numbers& numbers, const char* name, cudaStream_t stream) {
    Example e;
    Seen seen;
    for (int i = 0; i < kRounds; ++i) {
        Spin stamps(kKernel);
        seen.early.push_back(yes(secondUpToCopy(e, stamps, stream)));
        e.copyOut(stream);
        idle();
        seen.right.push_back(e.right());
    }
    seen.add(numbers, std::string("example2.") + name);
}

/// What the host's buffer holds where the example ends: other work in the stream delays the copy.
void endOfSecond(Numbers& numbers, const char* name, cudaStream_t stream) {
    Example e;
    numbers.addMedian(std::string("example2.") + name + ".right_at_its_end", rounds(numbers, [&] {
                          Spin stamps(kKernel), slow(kKernel);
                          secondUpToCopy(e, stamps, stream);
                          slow.launch(stream);
                          e.copyOut(stream);
                          const double right = e.right();
                          idle();
                          return right;
                      }));
}

/// Does a kernel launched without a stream wait for work in `stream`? If so, it is in that stream.
double waitsFor(cudaStream_t held, bool asArgument) {
    Spin holding(kKernel), kernel(kMs / 10);
    idle();
    holding.launch(held);
    holding.awaitBegin();
    kernel.reset();
    check(asArgument ? kernels::launchSpinLiterally(kernel.stamps(), kMs / 10, held)
                     : kernels::launchSpin(kernel.stamps(), kMs / 10, nullptr),
          "launch a kernel");
    idle();
    return yes(kernel.begin() >= holding.end());
}

} // namespace

void probeLiteral(Numbers& numbers) {
    const StreamHandle tied = blocking(), free = nonBlocking();
    first(numbers, "blocking", tied.get(), cudaStreamLegacy);
    first(numbers, "nonblocking", free.get(), cudaStreamLegacy);
    first(numbers, "per_thread", tied.get(), cudaStreamPerThread);
    first(numbers, "all_in_stream", free.get(), free.get());
    numbers.step(0.5, "example 2");
    second(numbers, "blocking", tied.get());
    second(numbers, "nonblocking", free.get());
    endOfSecond(numbers, "blocking", tied.get());
    endOfSecond(numbers, "nonblocking", free.get());
    numbers.addMedian("launch.without_stream_is_in_stream",
                      rounds(numbers, [&] { return waitsFor(free.get(), false); }));
    numbers.addMedian("launch.stream_as_argument_is_in_stream",
                      rounds(numbers, [&] { return waitsFor(free.get(), true); }));
}

} // namespace olab::cuda::probes
