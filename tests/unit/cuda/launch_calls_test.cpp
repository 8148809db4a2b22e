// Which call launched a host function, told from the records that come by.
#include "launch_calls.h"

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

namespace olab::cuda {
namespace {

struct Launches : testing::Test {
    Launches() {
        experiment::HeldExperiment experiment;
        experiment::setOption(experiment, "streams", "1");
        experiment::setOption(experiment, "iterations", "1");
        schedule = experiment::plan(experiment, 1);
        for (std::uint32_t i = 0; i < schedule.ops.size(); ++i)
            if (schedule.ops[i].kind == experiment::OpKind::HostFn)
                op.value = i;
        calls.emplace(builder, schedule);
    }
    /// A call of the op; its record may come before or after it is told whose it is.
    void call(const char* name, std::uint32_t correlation, bool toldFirst) {
        if (toldFirst)
            calls->add(CorrelationRecord{correlation, op});
        ActivityRecord r;
        r.cls = ActivityClass::Api;
        r.name = calls->intern(name);
        r.correlation = correlation;
        calls->add(r);
        if (!toldFirst)
            calls->add(CorrelationRecord{correlation, op});
    }
    TraceBuilder builder;
    experiment::Schedule schedule;
    OpId op;
    std::optional<LaunchCalls> calls;
};

TEST_F(Launches, IsTheOneByTheDriverBetweenThoseThatSetItsContext) {
    for (const bool toldFirst : {true, false}) {
        call("cuCtxPushCurrent", 46, toldFirst);
        call("cuLaunchHostFunc", 47, toldFirst);
        call("cuCtxPopCurrent", 48, toldFirst);
        EXPECT_EQ(calls->of(op), 47u);
    }
}

TEST_F(Launches, IsTheLastWhereTheStreamIsWatchedThroughAnEvent) {
    call("cudaEventCreate", 4, true);
    call("cudaEventRecord", 5, true);
    EXPECT_EQ(calls->of(op), 5u);
}

TEST_F(Launches, IsNoneOfAnotherOp) {
    call("cudaLaunchHostFunc", 4, true);
    EXPECT_EQ(calls->of(OpId{op.value + 1}), 0u);
}

} // namespace
} // namespace olab::cuda
