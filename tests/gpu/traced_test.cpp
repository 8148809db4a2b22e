// The traced backend: one process, one CUPTI capture, many runs.
#include <backend_conformance.h>
#include <stream_call_problems.h>

#include <olab/analysis/analyze.h>
#include <olab/cuda/cuda_backend.h>
#include <olab/experiment/plan.h>
#include <olab/trace/lanes_of.h>

#include <gmock/gmock.h>

#include <algorithm>

namespace olab {
namespace {

using namespace conformance;

cuda::CudaBackend& backend() {
    static cuda::CudaBackend traced({true, {}});
    return traced;
}

experiment::HeldExperiment experimentWith(const std::vector<std::string>& settings) {
    experiment::HeldExperiment experiment;
    for (const std::string& setting : settings)
        experiment::setOption(experiment, setting);
    return experiment;
}

// Device stamps are converted by interpolation: 2 us between host and device, 0.1 us between device stamps
// (CUPTI's own notes).
constexpr Tolerance kTolerance{200, 2'000};

class CudaConformance : public testing::TestWithParam<Case> {};

TEST_P(CudaConformance, LeavesWhatWasPlanned) {
    const bool all = experiment::optionText(GetParam().experiment, "devices") == "all";
    if (all && backend().deviceCount() < 2)
        GTEST_SKIP() << "devices=all needs two GPUs";
    if (!experiment::simulatorOnly(GetParam().experiment).empty())
        GTEST_SKIP() << "only the simulator plays this";
    const experiment::Plan schedule =
        experiment::plan(GetParam().experiment, all ? backend().deviceCount() : 1);
    EXPECT_THAT(problems(schedule, execute(backend(), schedule), kTolerance), testing::IsEmpty());
}

std::string nameOf(const testing::TestParamInfo<Case>& info) {
    return testName(info.param);
}
INSTANTIATE_TEST_SUITE_P(NonBlocking, CudaConformance, testing::ValuesIn(everyOptionValue(smallExperiment())),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Together, CudaConformance, testing::ValuesIn(everyCombination(smallExperiment())),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Devices, CudaConformance, testing::ValuesIn(everyDeviceValue(smallExperiment())),
                         nameOf);

class CallsOnStreams : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(CallsOnStreams, LeadToTheStreamsOfTheirOps) {
    experiment::HeldExperiment experiment = smallExperiment();
    for (const std::string& setting : GetParam())
        experiment::setOption(experiment, setting);
    const experiment::Plan schedule = experiment::plan(experiment);
    EXPECT_THAT(streamCallProblems(schedule, execute(backend(), schedule)), testing::IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Planted, CallsOnStreams, testing::ValuesIn(settingsWithStreamCalls()));

class Calibration : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Calibration, ReachesTheDurationAskedForWithinFivePercent) {
    const auto [blocks, kind] = GetParam();
    const experiment::Plan schedule = experiment::plan(
        experimentWith({"streams=1", "iterations=20", "h2d=off", "d2h=off", "memset=off", "callback=off",
                        std::string("kernel.blocks=") + blocks, std::string("kernel.kind=") + kind}));
    const Trace trace = execute(backend(), schedule);
    std::vector<Ns> durations;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Kernel)
            durations.push_back(trace[i].duration());
    ASSERT_EQ(durations.size(), 20u);
    std::sort(durations.begin(), durations.end());
    const double median = static_cast<double>(durations[10]) / 1000.0;
    RecordProperty("median_us", std::to_string(median));
    EXPECT_NEAR(median, 400.0, 20.0);
}
INSTANTIATE_TEST_SUITE_P(Geometries, Calibration,
                         testing::Values(std::pair{"1", "compute"}, std::pair{"64", "compute"},
                                         std::pair{"fill:1", "compute"}, std::pair{"fill:8", "compute"},
                                         std::pair{"64", "memory"}, std::pair{"fill:1", "memory"}));

TEST(TracedBackend, TheDefaultsOverlapInTwentyOfTwentyRuns) {
    const experiment::Plan schedule = experiment::plan(experiment::HeldExperiment{});
    int overlapped = 0;
    for (int i = 0; i < 20; ++i) {
        const Trace trace = execute(backend(), schedule);
        const auto lanes = lanesOf(trace);
        const analysis::Report report = analysis::analyze({trace, *lanes, &schedule, std::nullopt});
        EXPECT_GE(report.bounds.measured, 30'000'000);
        int both = 0;
        for (const analysis::Verdict& v : report.verdicts)
            if (v.b == ActivityClass::Kernel && v.a != ActivityClass::Memset &&
                v.kind == analysis::VerdictKind::Overlapped)
                ++both;
        overlapped += both == 2;
    }
    EXPECT_EQ(overlapped, 20);
}

TEST(TracedBackend, SoloRunsAreMeasuredForEveryDistinctOp) {
    const experiment::Plan schedule =
        experiment::plan(experimentWith({"iterations=2", "null_op=memset", "stream.kind=blocking"}));
    const Trace trace = execute(backend(), schedule);
    ASSERT_EQ(trace.solos().size(), schedule.solos.size());
    for (const SoloRecord& solo : trace.solos()) {
        EXPECT_GT(solo.duration, 0);
        EXPECT_GE(solo.samples, 5u);
    }
}

} // namespace
} // namespace olab
