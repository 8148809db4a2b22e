// A device model comes from a file: whatever its fields allow can be played, or is refused in words.
#include "sim_test.h"

#include <olab/experiment/held_experiment.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace olab::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kFastest = 1'000'000'000'000, kSlowest = 1;
constexpr Ns kLongest = 10'000'000'000;

bool isRate(const std::string& key) {
    return key.ends_with("_per_us");
}
bool isLatency(const std::string& key) {
    return key.ends_with("_ns");
}

/// Every rate and every latency as given.
sim::DeviceModel modelWith(std::int64_t rate, Ns latency) {
    Json json = Json::parse(sim::deviceModelToJson({}));
    for (auto& [key, value] : json.items())
        if (isRate(key))
            value = rate;
        else if (isLatency(key))
            value = latency;
    return sim::deviceModelFromJson(json.dump(), "x");
}

const std::vector<experiment::HeldExperiment>& experiments() {
    static const std::vector<experiment::HeldExperiment> all{
        experimentWith({"streams=3", "iterations=3"}),
        experimentWith({"streams=3", "iterations=3", "kernel.kind=memory", "kernel.blocks=fill:1"}),
        experimentWith({"streams=2", "iterations=3", "h2d.memory=pageable", "d2h.memory=pageable",
                        "callback.method=poll"}),
        experimentWith({"streams=2", "iterations=3", "devices=all", "p2p=on", "memset.method=copy"}),
        experimentWith({"streams=2", "iterations=3", "submit=graph", "h2d.memory=mapped"}),
    };
    return all;
}

} // namespace

/// What wraps on the way shows with --sanitize, if not in the times.
TEST(HostileModel, ExtremesArePlayedToTheEnd) {
    for (const std::int64_t rate : {kSlowest, kFastest})
        for (const Ns latency : {Ns{0}, kLongest})
            for (const experiment::Experiment& experiment : experiments()) {
                const Trace trace = simulate(experiment, modelWith(rate, latency));
                SCOPED_TRACE(std::to_string(rate) + " " + std::to_string(latency));
                EXPECT_EQ(trace.counts().refused, 0u);
                EXPECT_GT(trace.size(), 0u);
                for (ActivityIndex i = 0; i < trace.size(); ++i)
                    ASSERT_GE(trace.time(i).length(), 0);
            }
}

/// What a link moves is a product of time and rate: both at their longest are beyond 64 bits.
TEST(HostileModel, AFastLinkStillHasItsLatency) {
    const Played played(experimentWith({"streams=2", "iterations=2"}), modelWith(kFastest, kLongest));
    for (const Ns duration : played.durations(experiment::OpKind::CopyH2D))
        EXPECT_GT(duration, kLongest / 2);
    for (const Ns duration : played.durations(experiment::OpKind::CopyD2H))
        EXPECT_GT(duration, kLongest / 2);
}

TEST(HostileModel, TwoFastDevicesShareTheHostsMemory) {
    sim::DeviceModel model = modelWith(kFastest, 0);
    model.hostMemoryRate = kFastest;
    const Played played(experimentWith({"streams=4", "iterations=4", "devices=all", "h2d.bytes=64MiB"}),
                        model);
    for (const Ns duration : played.durations(experiment::OpKind::CopyH2D))
        EXPECT_LE(duration, 10'000) << "64 MiB at an exabyte a second";
}

TEST(HostileModel, ADeviceOfManyBlocksHasThem) {
    sim::DeviceModel model;
    model.smCount = model.maxBlocksPerSm = model.maxThreadsPerSm = 1'000'000;
    EXPECT_EQ(sim::residentBlocks(model, 1), 0x7fffffffu);
    model.smCount = 65'536; // times this many would be 0
    model.maxBlocksPerSm = 65'536;
    EXPECT_EQ(sim::residentBlocks(model, 1), 0x7fffffffu);
}

TEST(HostileModel, ARunOfCenturiesIsRefused) {
    const experiment::HeldExperiment experiment =
        experimentWith({"streams=2", "iterations=100000", "h2d.bytes=32GiB", "memset=off", "kernel=off",
                        "d2h=off", "callback=off"});
    try {
        simulate(experiment, modelWith(kSlowest, 0));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "too-long");
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_FALSE(error.hint().empty());
    }
}

/// Each level has a queue of its own: a million of them took 700 MB.
TEST(HostileModel, AMillionLevelsOfPriorityAreRefused) {
    Json json = Json::parse(sim::deviceModelToJson({}));
    json["priority_levels"] = 1'000'000;
    EXPECT_THROW(sim::deviceModelFromJson(json.dump(), "x"), Error);
}

} // namespace olab::test
