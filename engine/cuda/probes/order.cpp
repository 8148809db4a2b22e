// E12: are operations of one stream ever reordered? A thousand times a memset with a new value and a kernel
// that checks it. The same in two streams shows that the check would detect reordering.
#include "probe_tools.h"

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

} // namespace olab::cuda::probes
