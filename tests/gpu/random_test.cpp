// 200 random valid experiments, one after the other in one plain process: none fails, none hangs (CTest's
// time limit), the data that comes back is right, and the device's free memory is the same after each.
#include <random_experiments.h>

#include <olab/cuda/cuda_backend.h>
#include <olab/experiment/schedule.h>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace olab {
namespace {

std::string settingsOf(const Experiment& experiment) {
    std::string text;
    for (const std::string& setting : differsFromDefault(experiment))
        text += setting + ' ';
    return text;
}

std::size_t freeMemory() {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return free;
}

TEST(RandomExperiments, RunOneAfterTheOtherAndLeaveNothingBehind) {
    constexpr std::size_t kCount = 200;
    CudaBackend backend({});
    std::size_t before = 0;
    for (const Experiment& experiment : conformance::randomExperiments(kCount)) {
        TraceBuilder builder;
        ASSERT_NO_THROW(backend.run(plan(experiment), {}, builder, {})) << settingsOf(experiment);
        const Trace trace = builder.finish();
        ASSERT_EQ(trace.windows().size(), 1u);
        for (const Defect& defect : trace.defects())
            EXPECT_NE(defect.code, DefectCode::DataMismatch) << settingsOf(experiment);
        const std::size_t now = freeMemory();
        if (before == 0) // the first run makes the context
            before = now;
        ASSERT_EQ(now, before) << settingsOf(experiment);
    }
}

} // namespace
} // namespace olab
