// NVTX ranges of this very program, by way of CUPTI. A process of its own: NVTX looks for the library that
// takes its ranges once, at its first call.
#include <olab/cupti/collector.h>
#include <olab/kernels/small_kernels.h>
#include <olab/trace/trace_builder.h>

#include <nvtx3/nvToolsExt.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace olab {
namespace {

std::optional<Activity> named(const Trace& trace, std::string_view name) {
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Nvtx && trace.text(trace[i].name) == name)
            return trace[i];
    return std::nullopt;
}

std::optional<Activity> kernelOf(const Trace& trace) {
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Kernel)
            return trace[i];
    return std::nullopt;
}

void launchAndWait() {
    ASSERT_EQ(kernels::launch(kernels::nullLaunch(), nullptr, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Nvtx, ARangeAroundAKernelIsInTheTrace) {
    const cupti::CuptiProbe probe = cupti::probeCupti();
    ASSERT_NE(probe.version, 0u) << probe.why;
    ASSERT_EQ(setenv("NVTX_INJECTION64_PATH", probe.file.c_str(), 1), 0);
    cupti::Collector collector;
    ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
    launchAndWait(); // loads the kernel
    TraceBuilder builder;
    collector.discard(builder);

    nvtxRangePushA("outer");
    nvtxRangePushA("inner");
    launchAndWait();
    nvtxMarkA("mark");
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangePushA("left open");
    collector.drain(builder);
    const Trace trace = builder.finish();

    const auto kernel = kernelOf(trace), outer = named(trace, "outer"), inner = named(trace, "inner"),
               mark = named(trace, "mark");
    ASSERT_TRUE(kernel && outer && inner && mark) << trace.environment().at("cupti.records");
    EXPECT_LE(outer->begin, inner->begin);
    EXPECT_LE(inner->begin, kernel->begin);
    EXPECT_LE(kernel->end, inner->end);
    EXPECT_LE(inner->end, outer->end);
    EXPECT_EQ(mark->begin, mark->end);
    EXPECT_GE(mark->begin, kernel->end);
    EXPECT_FALSE(named(trace, "left open"));
    bool counted = false;
    for (const Defect& defect : trace.defects())
        counted = counted || (defect.code == DefectCode::OpenRange && defect.count == 1);
    EXPECT_TRUE(counted) << "half a range is left out, and said";
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Api) {
            EXPECT_EQ(trace[i].queue, outer->queue) << "one name for one thread";
        }
}

} // namespace
} // namespace olab
