// Buffers that a device could not hold are refused by one that is played as by a real one.
#include "sim_test.h"

#include <olab/trace/error.h>

namespace olab::sim {
namespace {

using namespace test;

/// A device with just so much memory that `bytes` are 80 % of it.
DeviceModel holding(std::uint64_t bytes) {
    DeviceModel model;
    model.memoryBytes = bytes / 4 * 5;
    return model;
}

experiment::HeldExperiment copies(const char* streams) {
    return experimentWith({streams, "h2d.bytes=64MiB", "memset=off", "d2h=off", "iterations=1"});
}

TEST(SimulatedMemory, MoreThanFourFifthsOfItIsRefused) {
    EXPECT_EQ(experiment::plan(copies("streams=4")).deviceBytes, 256 << 20);
    EXPECT_GT(simulate(copies("streams=4"), holding(256u << 20)).size(), 0u);
    try {
        (void)simulate(copies("streams=5"), holding(256u << 20));
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "too-big");
        EXPECT_EQ(error.exitCode(), static_cast<int>(ErrorKind::Usage));
        EXPECT_THAT(error.what(), testing::HasSubstr("need 320 MiB of device memory; 80 % of the 320 MiB"));
    }
}

TEST(SimulatedMemory, EachOfSeveralDevicesHasItsOwn) {
    experiment::HeldExperiment both = copies("streams=4");
    experiment::setOption(both, "devices=all");
    const experiment::Plan planned = experiment::plan(both, 2);
    ASSERT_EQ(planned.devices, 2);
    TraceBuilder builder;
    SimBackend fits(holding(static_cast<std::uint64_t>(planned.deviceBytes) / 2));
    EXPECT_NO_THROW(fits.run(planned, {}, builder, {}));
    SimBackend tooSmall(holding(static_cast<std::uint64_t>(planned.deviceBytes) / 2 - (8 << 20)));
    EXPECT_THROW(tooSmall.run(planned, {}, builder, {}), Error);
}

} // namespace
} // namespace olab::sim
