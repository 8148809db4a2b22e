// E29: write-combined memory: what the copy engine gains, and what the CPU loses.
#include "probe_tools.h"

#include <numeric>

namespace olab::cuda::probes {
namespace {

constexpr std::size_t kBytes = 32u << 20;

double copyTime(cudaStream_t stream, Memory& device, Memory& host) {
    EventHandle begin, end;
    idle();
    check(cudaEventRecord(begin.get(), stream), "record an event");
    check(cudaMemcpyAsync(device.as<void>(), host.as<void>(), kBytes, cudaMemcpyHostToDevice, stream),
          "copy");
    check(cudaEventRecord(end.get(), stream), "record an event");
    idle();
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "read the time");
    return static_cast<double>(ms) * static_cast<double>(kMs);
}

double readTime(const Memory& host) {
    constexpr std::size_t kRead = 1u << 20; // write-combined memory is read very slowly
    volatile std::uint64_t sum = 0;
    const auto* const at = host.as<std::uint64_t>();
    return timed([&] { sum = std::accumulate(at, at + kRead / sizeof(std::uint64_t), std::uint64_t{0}); });
}

} // namespace

void probeHostMemory(Numbers& numbers) {
    const StreamHandle stream = nonBlocking();
    Memory device = Memory::device(kBytes), plain = Memory::pinned(kBytes);
    Memory combined = Memory::pinned(kBytes, cudaHostAllocWriteCombined);
    std::fill_n(plain.as<char>(), kBytes, '\1');
    std::fill_n(combined.as<char>(), kBytes, '\1');
    numbers.addMedian("h2d.plain", rounds(numbers, [&] { return copyTime(stream.get(), device, plain); }));
    numbers.addMedian("h2d.wc", rounds(numbers, [&] { return copyTime(stream.get(), device, combined); }));
    numbers.addMedian("cpu_read.plain", rounds(numbers, [&] { return readTime(plain); }));
    numbers.addMedian("cpu_read.wc", rounds(numbers, [&] { return readTime(combined); }));
    numbers.addRatio("h2d.wc_ratio", "h2d.wc", "h2d.plain");
    numbers.addRatio("cpu_read.wc_ratio", "cpu_read.wc", "cpu_read.plain");
}

} // namespace olab::cuda::probes
