// How much more work one run does than another, and what its time is per work.
#include <olab/analysis/steady_state.h>
#include <olab/intervention/intervention.h>
#include <olab/io/comparison_report.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace olab::comparison {
namespace {

using testing::HasSubstr;

recording::RecordingPtr labRun(std::initializer_list<const char*> options) {
    experiment::HeldExperiment experiment;
    for (const char* option : {"iterations=8", "streams=2"})
        experiment::setOption(experiment, option);
    for (const char* option : options)
        experiment::setOption(experiment, option);
    sim::SimBackend simulator;
    return recording::runExperiment(experiment, {&simulator, nullptr}, "run", {});
}

Comparison comparedRuns(const recording::RecordingPtr& before, const recording::RecordingPtr& after) {
    ComparedRun a = intervention::comparedRun(*before), b = intervention::comparedRun(*after);
    a.name = "A", b.name = "B";
    return compare(a, b);
}

TEST(WorkChange, FourTimesTheIterationsAreComparedPerIteration) {
    const Comparison found = comparedRuns(labRun({}), labRun({"iterations=32"}));
    ASSERT_TRUE(found.work.amount);
    EXPECT_NEAR(*found.work.amount, 4, 0.01);
    EXPECT_TRUE(found.work.perIteration);
    EXPECT_NEAR(found.slowerPerWork.value(), *found.slower / *found.work.amount, 1e-12);
    EXPECT_LT(*found.slowerPerWork, 1) << "filling and draining the pipeline counts once";
    EXPECT_THAT(found.headline, HasSubstr("B does 4 times the work: "));
    EXPECT_THAT(found.headline, HasSubstr("x slower in all"));
    EXPECT_THAT(found.headline, HasSubstr(" in all, as long per iteration."));
}

TEST(WorkChange, EachStreamHasItsOwnIterations) {
    const Comparison found = comparedRuns(labRun({"streams=1"}), labRun({}));
    EXPECT_NEAR(found.work.amount.value(), 2, 0.01);
    EXPECT_TRUE(found.work.perIteration);
    EXPECT_TRUE(comparedRuns(labRun({"streams=1", "iterations=16"}), labRun({})).work.amount == 1);
}

TEST(WorkChange, LargerIterationsAreComparedPerUnitOfWork) {
    const recording::RecordingPtr small = labRun({"kernel.us=100"});
    const Comparison found = comparedRuns(
        small, labRun({"kernel.us=400", "h2d.bytes=64MiB", "d2h.bytes=64MiB", "memset.bytes=64MiB"}));
    ASSERT_TRUE(found.work.amount);
    EXPECT_NEAR(*found.work.amount, 4, 0.01);
    EXPECT_NEAR(found.work.operations.value(), 1, 0.01);
    EXPECT_FALSE(found.work.perIteration);
    EXPECT_THAT(found.headline, HasSubstr(" per unit of work."));
}

TEST(WorkChange, UnevenWorkIsSaidAndNotDivided) {
    const Comparison found = comparedRuns(labRun({}), labRun({"h2d.bytes=64MiB"}));
    EXPECT_TRUE(found.work.differs());
    EXPECT_FALSE(found.work.amount);
    EXPECT_FALSE(found.slowerPerWork);
    EXPECT_THAT(found.headline, HasSubstr("in all, but the work differs: 2 times the bytes."));
}

TEST(WorkChange, TheSameWorkIsComparedAsBefore) {
    const Comparison found = comparedRuns(labRun({"h2d.memory=pageable"}), labRun({}));
    EXPECT_FALSE(found.work.differs());
    EXPECT_FALSE(found.slowerPerWork);
    EXPECT_EQ(found.work.amount.value(), 1);
    EXPECT_EQ(found.headline.find("work"), std::string::npos) << found.headline;
}

TEST(WorkChange, ASmallOperationMoreIsTheSameWork) {
    const Comparison found = comparedRuns(labRun({"null_op=memset", "stream.kind=blocking"}), labRun({}));
    EXPECT_TRUE(found.work.differs()) << "64 memsets less";
    EXPECT_NEAR(found.work.amount.value(), 1, 0.01);
    EXPECT_EQ(found.headline.find("work"), std::string::npos) << found.headline;
}

/// A program of others: `kernels` of each name, of that length.
recording::RecordingPtr program(int kernels, Ns length, const char* second = "b") {
    TraceBuilder builder;
    builder.add(DeviceRecord{});
    for (int i = 0; i < 2 * kernels; ++i) {
        ActivityRecord kernel;
        kernel.cls = ActivityClass::Kernel, kernel.device = 0, kernel.context = 1, kernel.stream = 7;
        kernel.begin = 1000 + 2 * i * length, kernel.end = kernel.begin + length;
        kernel.name = builder.intern(i % 2 ? second : "a");
        builder.add(kernel);
    }
    return recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "program", false);
}

TEST(WorkChange, KernelsThatBecameSlowerAreNoMoreWork) {
    const Comparison found = comparedRuns(program(10, 1000), program(10, 3000));
    EXPECT_FALSE(found.work.differs()) << found.headline;
    EXPECT_THAT(found.headline, HasSubstr("x slower."));
    const Comparison more = comparedRuns(program(10, 1000), program(30, 1000));
    EXPECT_EQ(more.work.amount.value(), 3);
    EXPECT_THAT(more.headline, HasSubstr("B does 3 times the work: "));
    const Comparison others = comparedRuns(program(10, 1000), program(10, 3000, "c"));
    EXPECT_FALSE(others.work.amount) << "other kernels";
    EXPECT_THAT(others.headline, HasSubstr("the work differs: 3 times the kernel time."));
}

TEST(WorkChange, IterationsThatRepeatInBothAreCompared) {
    const recording::RecordingPtr before = program(10, 1000), after = program(12, 1000, "c");
    analysis::SteadyState steps;
    steps.mark = analysis::IterationMark::Steps, steps.name = "ProfilerStep#";
    steps.iterations = {{0, 10}, {10, 20}};
    steps.period = 1000;
    ComparedRun a = intervention::comparedRun(*before), b = intervention::comparedRun(*after);
    analysis::Report was = before->report, is = after->report;
    was.steadyState = std::make_shared<analysis::SteadyState>(steps);
    steps.period = 1500;
    is.steadyState = std::make_shared<analysis::SteadyState>(steps);
    const Comparison found = compare({"A", a.trace, was}, {"B", b.trace, is});
    EXPECT_EQ(found.slowerPerWork.value(), 1.5);
    EXPECT_THAT(found.headline, HasSubstr(" Per iteration: 1.50x slower."));
    steps.name = "train";
    is.steadyState = std::make_shared<analysis::SteadyState>(steps);
    EXPECT_FALSE(compare({"A", a.trace, was}, {"B", b.trace, is}).slowerPerWork) << "other iterations";
}

TEST(WorkChange, IsInTheJson) {
    const recording::RecordingPtr before = labRun({}), after = labRun({"iterations=32"});
    const ComparedRun a = intervention::comparedRun(*before), b = intervention::comparedRun(*after);
    const auto json = nlohmann::json::parse(io::comparisonToJson(compare(a, b), a, b));
    EXPECT_NEAR(json.at("work").at("times").get<double>(), 4, 0.01);
    EXPECT_EQ(json.at("work").at("unit"), "iteration");
    EXPECT_EQ(json.at("work").at("differs"), true);
    EXPECT_NEAR(json.at("work").at("ratio_per_work").get<double>(), json.at("ratio").get<double>() / 4, 1e-3);
    const auto same = nlohmann::json::parse(io::comparisonToJson(compare(a, a), a, a));
    EXPECT_TRUE(same.at("work").at("ratio_per_work").is_null());
}

} // namespace
} // namespace olab::comparison
