// What is certain of a run without an account: idle times of its GPUs.
#include "import/chrome_text.h"

#include <olab/recording/idle_times.h>
#include <olab/trace/output_file.h>

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace olab::recording {
namespace {

namespace fs = std::filesystem;

std::string host(const char* category, const char* name, int begin, int length, int correlation = 0) {
    return R"({"ph": "X", "cat": ")" + std::string(category) + R"(", "name": ")" + name +
           R"(", "pid": 9, "tid": 5, "ts": )" + std::to_string(begin) +
           ", \"dur\": " + std::to_string(length) + R"(, "args": {"correlation": )" +
           std::to_string(correlation) + "}},\n";
}

std::string kernel(int begin, int length, int correlation) {
    return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )" + std::to_string(begin) +
           ", \"dur\": " + std::to_string(length) +
           R"(, "args": {"device": 0, "context": 1, "stream": 7, "correlation": )" +
           std::to_string(correlation) + R"(, "grid": [2, 1, 1], "block": [64, 1, 1]}})";
}

RecordingPtr opened(const std::string& events) {
    const fs::path path = fs::path(testing::TempDir()) / ("idle-" + std::to_string(::getpid()) + ".json");
    std::ofstream(path) << testing_import::object(events, "\"schemaVersion\": 1, ");
    const RecordingPtr recording = openRecording(path);
    fs::remove(path);
    return recording;
}

/// Kernels at 100 to 200, 600 to 700 and 730 to 800 us; the host frees memory, then loads data.
RecordingPtr threeKernels() {
    return opened(host("user_annotation", "step", 0, 760) + host("user_annotation", "load", 400, 190) +
                  host("cuda_runtime", "cudaLaunchKernel", 90, 5, 1) +
                  host("cuda_runtime", "cudaFree", 150, 200) +
                  host("cuda_runtime", "cudaLaunchKernel", 590, 5, 2) +
                  host("cuda_runtime", "cudaLaunchKernel", 720, 5, 3) + kernel(100, 100, 1) + ",\n" +
                  kernel(600, 100, 2) + ",\n" + kernel(730, 70, 3));
}

TEST(IdleTimes, SayHowLongAGpuWasIdleAndWhatTheHostWasInMeanwhile) {
    const RecordingPtr recording = threeKernels();
    const std::vector<DeviceIdle> all = idleTimes(*recording);
    ASSERT_EQ(all.size(), 1u);
    const DeviceIdle& gpu = all.front();
    EXPECT_EQ(gpu.span, 700'000);
    EXPECT_EQ(gpu.idle, 430'000);
    EXPECT_EQ(gpu.idle, recording->report.devices.front().idle) << "one number, one definition";
    EXPECT_EQ(gpu.gaps, 2u);
    ASSERT_EQ(gpu.host.size(), 2u);
    EXPECT_EQ(gpu.host[0].name, "load") << "the innermost range where it is in no call";
    EXPECT_EQ(gpu.host[0].time, 190'000);
    EXPECT_EQ(gpu.host[1].name, "cudaFree");
    EXPECT_EQ(gpu.host[1].time, 150'000) << "what of it lies in the gap";
    EXPECT_EQ(idleText(gpu),
              "GPU 0 was idle for 430 us of 700 us (61 %), in 2 gaps. Meanwhile the host was in "
              "load for 190 us, in cudaFree for 150 us.");
}

TEST(IdleTimes, TheLargestGapComesFirstWithWhatTheHostWasIn) {
    const std::vector<DeviceIdle> all = idleTimes(*threeKernels());
    ASSERT_EQ(all.front().largest.size(), 2u);
    const Ns length = all.front().largest[0].time.length();
    EXPECT_EQ(length, 400'000);
    EXPECT_EQ(gapText(all.front().largest[0]), "400 us in load");
    EXPECT_EQ(all.front().largest[1].time.length(), 30'000);
}

TEST(IdleTimes, TheLongestIsThatOfTheLargestGap) {
    const RecordingPtr recording = threeKernels();
    const auto longest = longestIdle(*recording);
    ASSERT_TRUE(longest);
    EXPECT_EQ(longest->device, 0);
    EXPECT_EQ(longest->time, idleTimes(*recording).front().largest.front().time);
    EXPECT_FALSE(longestIdle(*opened(kernel(100, 100, 1) + ",\n" + kernel(200, 100, 2)))) << "no gap";
}

TEST(IdleTimes, WithoutCallsAndRangesTheyStandAlone) {
    const std::vector<DeviceIdle> all = idleTimes(*opened(kernel(100, 100, 1) + ",\n" + kernel(300, 100, 2)));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all.front().host.empty());
    EXPECT_EQ(idleText(all.front()),
              "GPU 0 was idle for 100 us of 300 us (33 %), in one gap. What the host did "
              "then is not recorded.");
    EXPECT_EQ(gapText(all.front().largest.front()), "100 us");
    EXPECT_TRUE(idleTimes(*opened(kernel(100, 100, 1) + ",\n" + kernel(200, 100, 2))).empty()) << "no gap";
}

TEST(IdleTimes, AreToldWhereThereIsNoAccountOrItLacksTheCalls) {
    const RecordingPtr withCalls = threeKernels(),
                       without = opened(kernel(100, 100, 1) + ",\n" + kernel(300, 100, 2));
    analysis::Ledger ledger;
    ledger.measured = 1'000;
    EXPECT_FALSE(wantsIdleTimes(*withCalls, nullptr)) << "nobody has asked for an account";
    EXPECT_FALSE(wantsIdleTimes(*withCalls, &ledger));
    EXPECT_TRUE(wantsIdleTimes(*without, &ledger));
    ledger.unexplained = 300;
    EXPECT_TRUE(wantsIdleTimes(*withCalls, &ledger));
    ledger.unexplained = 0;
    ledger.missing = "The model is off.";
    EXPECT_TRUE(wantsIdleTimes(*withCalls, &ledger));
}

} // namespace
} // namespace olab::recording
