// E31: a copy to one part of a __constant__ array while a kernel reads another part of it, as in source text
// 000.
#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::uint32_t kHalf = kernels::kConstants / 2, kRead = 5, kWritten = 9;
constexpr std::size_t kBytes = kHalf * sizeof(std::uint32_t);

struct Setting {
    std::uint32_t* constants = nullptr;
    Memory global = Memory::device(kBytes), changed = Memory::device(sizeof(std::uint32_t));
    Memory host = Memory::pinned(kBytes);
    EventHandle copied;
    StreamHandle reading = nonBlocking(), other = nonBlocking();
    Setting() {
        void* address = nullptr;
        check(kernels::probeConstants(address), "find the constants");
        constants = static_cast<std::uint32_t*>(address);
        fill(kRead);
        check(cudaMemcpy(constants, host.as<void>(), kBytes, cudaMemcpyHostToDevice), "copy");
        check(cudaMemset(changed.as<void>(), 0, sizeof(std::uint32_t)), "clear the count");
        fill(kWritten);
    }
    void fill(std::uint32_t value) { std::fill_n(host.as<std::uint32_t>(), kHalf, value); }
};

/// Whether a copy to `target` in `stream` finished while the kernel still ran.
double doneBeside(Setting& s, void* target, cudaStream_t stream) {
    Spin stamps(kKernel);
    idle();
    check(kernels::launchReadConstants(kRead, s.changed.as<std::uint32_t>(), stamps.stamps(),
                                       static_cast<std::uint64_t>(kKernel), s.reading.get()),
          "launch the kernel that reads constants");
    stamps.awaitBegin();
    check(cudaMemcpyAsync(target, s.host.as<void>(), kBytes, cudaMemcpyHostToDevice, stream), "copy");
    check(cudaEventRecord(s.copied.get(), stream), "record an event");
    check(cudaEventSynchronize(s.copied.get()), "wait for the copy");
    const double beside = yes(!stamps.hasEnded());
    idle();
    return beside;
}

} // namespace

void probeConstant(Numbers& numbers) {
    Setting s;
    std::uint32_t* const second = s.constants + kHalf;
    numbers.addMedian("constant.done_beside_kernel",
                      rounds(numbers, [&] { return doneBeside(s, second, s.other.get()); }));
    numbers.addMedian("constant.same_stream.done_beside_kernel",
                      rounds(numbers, [&] { return doneBeside(s, second, s.reading.get()); }));
    numbers.addMedian("global.done_beside_kernel",
                      rounds(numbers, [&] { return doneBeside(s, s.global.as<void>(), s.other.get()); }));
    std::uint32_t changed = 0;
    check(cudaMemcpy(&changed, s.changed.as<void>(), sizeof changed, cudaMemcpyDeviceToHost),
          "read the count");
    numbers.add("constant.read_part_changed", changed);
    check(cudaMemcpy(s.host.as<void>(), second, kBytes, cudaMemcpyDeviceToHost), "read the constants");
    numbers.add("constant.written_part_right", shareOf(s.host.as<std::uint32_t>(), kHalf, kWritten));
}

} // namespace olab::cuda::probes
