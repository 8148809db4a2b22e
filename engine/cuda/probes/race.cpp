// E11 and the poison check: is work ordered by the data it needs? A copy brings new values after a kernel
// that blocks its stream; a kernel in another stream, and the host, check for them meanwhile.
#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::uint32_t kCount = 1 << 18, kOld = 0x11111111u, kNew = 0x22222222u;
constexpr std::size_t kBytes = kCount * sizeof(std::uint32_t);

struct Buffers {
    Memory device = Memory::device(kBytes), old = Memory::pinned(kBytes), fresh = Memory::pinned(kBytes);
    Memory found = Memory::device(sizeof(std::uint32_t));
    Mapped<std::uint32_t> seen;
    EventHandle copied;
    Buffers() {
        std::fill_n(old.as<std::uint32_t>(), kCount, kOld);
        std::fill_n(fresh.as<std::uint32_t>(), kCount, kNew);
    }
    void startAnew() {
        check(cudaMemcpy(device.as<void>(), old.as<void>(), kBytes, cudaMemcpyHostToDevice), "copy");
        check(cudaMemset(found.as<void>(), 0, sizeof(std::uint32_t)), "clear the count");
        idle();
    }
};

enum class Order : bool { None, Event };

/// The share of new values found by a kernel in `reader` that is issued after a blocked copy in `writer`.
double seenBy(Buffers& b, cudaStream_t writer, cudaStream_t reader, Order order) {
    Spin holding(kKernel);
    b.startAnew();
    holding.launch(writer);
    check(cudaMemcpyAsync(b.device.as<void>(), b.fresh.as<void>(), kBytes, cudaMemcpyHostToDevice, writer),
          "copy");
    check(cudaEventRecord(b.copied.get(), writer), "record an event");
    if (order == Order::Event)
        check(cudaStreamWaitEvent(reader, b.copied.get(), 0), "make a stream wait");
    check(
        kernels::launchCount(b.device.as<std::uint32_t>(), kCount, kNew, b.found.as<std::uint32_t>(), reader),
        "launch the kernel that counts");
    idle();
    std::uint32_t found = 0;
    check(cudaMemcpy(&found, b.found.as<void>(), sizeof found, cudaMemcpyDeviceToHost), "read the count");
    return static_cast<double>(found) / kCount;
}

void between(Numbers& numbers, Buffers& b, const char* name, const StreamHandle& writer,
             const StreamHandle& reader, Order order = Order::None) {
    numbers.addMedian(std::string("race.") + name + ".new",
                      rounds(numbers, [&] { return seenBy(b, writer.get(), reader.get(), order); }));
}

/// What the counting kernel finds before everything and after it: whether it is reliable.
void countItself(Numbers& numbers, Buffers& b) {
    const auto counted = [&] {
        std::uint32_t found = 0;
        check(cudaMemset(b.found.as<void>(), 0, sizeof found), "clear the count");
        check(kernels::launchCount(b.device.as<std::uint32_t>(), kCount, kNew, b.found.as<std::uint32_t>(),
                                   nullptr),
              "launch the kernel that counts");
        check(cudaMemcpy(&found, b.found.as<void>(), sizeof found, cudaMemcpyDeviceToHost), "read the count");
        return static_cast<double>(found) / kCount;
    };
    b.startAnew();
    numbers.add("race.before.new", counted());
    check(cudaMemcpy(b.device.as<void>(), b.fresh.as<void>(), kBytes, cudaMemcpyHostToDevice), "copy");
    idle();
    numbers.add("race.afterwards.new", counted());
}

/// What the host finds in its buffer right after cudaMemcpyAsync() into it returned, and after the wait.
void poison(Numbers& numbers, Buffers& b) {
    const StreamHandle stream = nonBlocking();
    std::vector<double> before, after;
    const auto look = [&] {
        Spin holding(kKernel);
        check(cudaMemcpy(b.device.as<void>(), b.fresh.as<void>(), kBytes, cudaMemcpyHostToDevice), "copy");
        std::fill_n(b.old.as<std::uint32_t>(), kCount, kOld);
        idle();
        before.push_back(shareOf(b.old.as<std::uint32_t>(), kCount, kOld));
        holding.launch(stream.get());
        check(cudaMemcpyAsync(b.old.as<void>(), b.device.as<void>(), kBytes, cudaMemcpyDeviceToHost,
                              stream.get()),
              "copy");
        const double early = shareOf(b.old.as<std::uint32_t>(), kCount, kNew);
        idle();
        after.push_back(shareOf(b.old.as<std::uint32_t>(), kCount, kNew));
        return early;
    };
    numbers.addMedian("poison.early", rounds(numbers, look));
    numbers.addMedian("poison.old_before", before);
    numbers.addMedian("poison.after_wait", after);
    std::fill_n(b.old.as<std::uint32_t>(), kCount, kOld);
}

/// The host reads the result of a kernel right after its launch returned.
void resultOfKernel(Numbers& numbers, Buffers& b) {
    const StreamHandle stream = nonBlocking();
    const auto look = [&] {
        b.seen[0] = kOld;
        idle();
        check(kernels::launchWrite(b.seen.get(), 1, kNew, kKernel, stream.get()), "launch a kernel");
        const double early = yes(*static_cast<volatile std::uint32_t*>(b.seen.get()) == kNew);
        idle();
        return early;
    };
    numbers.addMedian("result.early", rounds(numbers, look));
    numbers.add("result.after_wait", yes(b.seen[0] == kNew));
}

} // namespace

void probeRace(Numbers& numbers) {
    Buffers b;
    countItself(numbers, b);
    const StreamHandle free1 = nonBlocking(), free2 = nonBlocking(), tied1 = blocking(), tied2 = blocking();
    const StreamHandle null = StreamHandle::legacy();
    between(numbers, b, "nonblocking_nonblocking", free1, free2);
    between(numbers, b, "blocking_blocking", tied1, tied2);
    between(numbers, b, "blocking_null", tied1, null);
    between(numbers, b, "nonblocking_null", free1, null);
    between(numbers, b, "same_stream", free1, free1);
    between(numbers, b, "event", free1, free2, Order::Event);
    numbers.step(0.6, "looking at the host's buffer");
    poison(numbers, b);
    resultOfKernel(numbers, b);
}

} // namespace olab::cuda::probes
