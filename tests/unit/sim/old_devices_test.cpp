// The simulated old devices against the nine times that NVIDIA printed (resources/models/README.md).
#include "sim_test.h"

#include <array>

namespace olab::test {
namespace {

struct Printed {
    const char* device;
    int kernelUs;             ///< of the whole work
    std::array<double, 3> ms; ///< sequential, version 1, version 2
};

class OldDevices : public testing::TestWithParam<Printed> {
protected:
    /// One pass over 16 MiB each way, in as many parts as there are streams.
    static double milliseconds(int streams, const char* order) {
        Experiment e = experimentWith({"iterations=1", "memset=off", "callback=off", "kernel.threads=256"});
        setOption(e, "sim.device", GetParam().device);
        setOption(e, "order", order);
        e.streams = streams;
        e.h2dBytes = e.d2hBytes = (16 << 20) / streams;
        e.kernelUs = (GetParam().kernelUs + streams / 2) / streams;
        e.kernelBlocks.blocks = static_cast<std::uint32_t>(16384 / streams);
        TraceBuilder builder;
        SimBackend().run(plan(e), {}, builder, {});
        return static_cast<double>(builder.finish().deviceSpan().length()) / 1e6;
    }
};

TEST_P(OldDevices, TakeTheTimesThatNvidiaPrinted) {
    const auto [sequential, first, second] = GetParam().ms;
    EXPECT_NEAR(milliseconds(1, "depth"), sequential, 0.05 * sequential);
    EXPECT_NEAR(milliseconds(4, "depth"), first, 0.05 * first);
    EXPECT_NEAR(milliseconds(4, "breadth"), second, 0.05 * second);
}

INSTANTIATE_TEST_SUITE_P(Blog, OldDevices,
                         testing::Values(Printed{"c1060", 3930, {12.92381, 13.63690, 8.84588}},
                                         Printed{"c2050", 3180, {9.984512, 5.735584, 7.597984}},
                                         Printed{"k20c", 1260, {7.101760, 3.974144, 3.967616}}),
                         [](const auto& instance) { return std::string(instance.param.device); });

} // namespace
} // namespace olab::test
