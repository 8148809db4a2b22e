// The plain backend: no CUPTI in this process. What a run must leave behind, and what it must survive.
#include <olab/cuda/cuda_backend.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/trace_builder.h>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace olab {
namespace {

Trace run(cuda::CudaBackend& backend, const std::vector<std::string>& settings) {
    experiment::HeldExperiment experiment;
    for (const std::string& setting : settings)
        experiment::setOption(experiment, setting);
    TraceBuilder builder;
    backend.run(experiment::plan(experiment), {}, builder, {});
    return builder.finish();
}

bool has(const Trace& trace, DefectCode code) {
    for (const Defect& d : trace.defects())
        if (d.code == code)
            return true;
    return false;
}

TEST(PlainBackend, NeverLoadsCupti) {
    cuda::CudaBackend backend({});
    const Trace trace = run(backend, {"iterations=2"});
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line))
        EXPECT_EQ(line.find("libcupti"), std::string::npos) << line;
    ASSERT_EQ(trace.windows().size(), 1u);
    EXPECT_FALSE(trace.windows()[0].traced);
}

TEST(PlainBackend, TheDataThatComesBackIsRight) {
    cuda::CudaBackend backend({});
    for (const char* kind : {"compute", "memory"})
        for (const char* blocks : {"1", "64", "fill:1", "fill:8"}) {
            const Trace trace = run(backend, {"iterations=3", std::string("kernel.kind=") + kind,
                                              std::string("kernel.blocks=") + blocks});
            EXPECT_FALSE(has(trace, DefectCode::DataMismatch)) << kind << ' ' << blocks;
        }
}

TEST(PlainBackend, TheGateOpensEarlyForCallsThatBlockAndNothingHangs) {
    cuda::CudaBackend backend({});
    const Trace pageable = run(backend, {"iterations=2", "h2d.memory=pageable", "d2h.memory=pageable"});
    EXPECT_TRUE(has(pageable, DefectCode::GateOpenedEarly));
    EXPECT_FALSE(has(pageable, DefectCode::DataMismatch));
    const Trace deep = run(backend, {"streams=2", "iterations=3000", "h2d.bytes=4KiB", "d2h.bytes=4KiB",
                                     "memset.bytes=4KiB", "kernel.us=5"});
    EXPECT_TRUE(has(deep, DefectCode::GateOpenedEarly)); // the queue of a channel is shorter than this
    EXPECT_FALSE(has(deep, DefectCode::DataMismatch));
}

TEST(PlainBackend, EveryStreamKindAndNullOpRuns) {
    cuda::CudaBackend backend({});
    for (const char* kind : {"nonblocking", "blocking", "legacy"})
        for (const char* op : {"off", "memset", "kernel", "event"}) {
            const Trace trace = run(
                backend, {"iterations=3", std::string("stream.kind=") + kind, std::string("null_op=") + op});
            EXPECT_FALSE(has(trace, DefectCode::DataMismatch)) << kind << ' ' << op;
        }
}

TEST(PlainBackend, DeviceMemoryIsTheSameAfterEachRun) {
    cuda::CudaBackend backend({});
    run(backend, {"iterations=2"});
    run(backend, {"iterations=2", "kernel.kind=memory", "kernel.blocks=fill:8"});
    std::size_t before = 0, total = 0;
    ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    for (int i = 0; i < 20; ++i) {
        run(backend, {"iterations=2", i % 2 ? "kernel.kind=memory" : "stream.kind=blocking"});
        std::size_t now = 0;
        ASSERT_EQ(cudaMemGetInfo(&now, &total), cudaSuccess);
        EXPECT_EQ(now, before);
    }
}

TEST(PlainBackend, BuffersThatDoNotFitAreRefusedWithAHint) {
    cuda::CudaBackend backend({});
    try {
        run(backend, {"streams=128", "memset.bytes=4GiB"});
        FAIL() << "512 GiB fitted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.code(), "too-big");
        EXPECT_FALSE(error.hint().empty());
    }
    EXPECT_FALSE(has(run(backend, {"iterations=2"}), DefectCode::DataMismatch)); // and the next run works
}

/// A step that nothing orders behind the one before it must be noticed, and one that is ordered must not.
TEST(PlainBackend, ARaceShowsAsWrongDataAndItsRemedyAsNone) {
    cuda::CudaBackend backend({});
    const std::vector<std::string> elsewhere{"iterations=8", "kernel.stream=other", "order=breadth"};
    EXPECT_TRUE(has(run(backend, elsewhere), DefectCode::DataMismatch));
    std::vector<std::string> ordered = elsewhere;
    ordered.emplace_back("deps=copy-to-kernel");
    EXPECT_FALSE(has(run(backend, ordered), DefectCode::DataMismatch));
    EXPECT_TRUE(has(run(backend, {"iterations=8", "buffers=shared"}), DefectCode::DataMismatch));
}

TEST(PlainBackend, MemoryInPlaceIsUsedWholeAndRight) {
    cuda::CudaBackend backend({});
    for (const char* in : {"pinned", "mapped", "managed"})
        for (const char* out : {"pinned", "mapped", "managed"}) {
            const Trace trace =
                run(backend, {"iterations=3", "h2d.bytes=4099B", "d2h.bytes=65537B",
                              std::string("h2d.memory=") + in, std::string("d2h.memory=") + out});
            EXPECT_FALSE(has(trace, DefectCode::DataMismatch)) << in << ' ' << out;
        }
}

TEST(PlainBackend, EveryCallbackReportsOncePerPassWithItsHostWork) {
    cuda::CudaBackend backend({});
    for (const char* method : {"hostfn", "streamcallback", "poll", "blocking-event"})
        for (const char* issue : {"ahead", "on-callback"})
            for (const char* threads : {"1", "per-stream"}) {
                const Trace trace =
                    run(backend, {"streams=3", "iterations=5", "kernel.us=50", "callback.us=200",
                                  std::string("callback.method=") + method, std::string("issue=") + issue,
                                  std::string("issue.threads=") + threads});
                ASSERT_EQ(trace.size(), 15u) << method << ' ' << issue << ' ' << threads;
                for (ActivityIndex i = 0; i < trace.size(); ++i)
                    EXPECT_GE(trace[i].duration(), 200'000) << method;
            }
}

TEST(PlainBackend, ADeviceThatIsNotThereIsRefused) {
    cuda::CudaBackend backend({});
    try {
        run(backend, {"device=63"});
        FAIL() << "there is no device 63";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "no-such-device");
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
    }
}

TEST(PlainBackend, ABlockThatDoesNotFitIsRefused) {
    cuda::CudaBackend backend({});
    try {
        run(backend, {"kernel.smem=227KiB", "kernel.threads=1024"});
    } catch (const Error& error) { // a device with less shared memory than an H200
        EXPECT_EQ(error.code(), "too-big");
    }
    EXPECT_FALSE(has(run(backend, {"iterations=2", "kernel.smem=64KiB"}), DefectCode::DataMismatch));
}

} // namespace
} // namespace olab
