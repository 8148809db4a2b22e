// Each generation of traces, and files that come in pieces.
#include "chrome_text.h"

#include <olab/analysis/framework.h>
#include <olab/analysis/threads.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::io {
namespace {

using namespace testing_import;
using testing::AllOf;
using testing::HasSubstr;

// --- generations. The texts stay as they are.
// clang-format off

TEST(ChromeJson, KinetoOf2020) {
    const Trace trace = read(R"j([
{"ph": "X", "cat": "Operator", "name": "aten::empty", "pid": 9, "tid": "3340707648", "ts": 1606911006433250, "dur": 10,
 "args": {"Input dims": [[], [2, 3]], "Device": 0, "External id": 2}},
{"ph": "X", "cat": "Kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 1606911006433418, "dur": 4,
 "args": {"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": 59629, "external id": 0}},
{"ph": "f", "id": 59629, "pid": 0, "tid": "stream 7", "ts": 1606911006433418, "cat": "async", "name": "launch", "bp": "e"},
{"ph": "X", "cat": "Memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": "stream 7", "ts": 1606911006433421,
 "dur": 2, "args": {"device": 0, "context": 1, "stream": 7, "correlation": 65448, "bytes": 19267584}},
{"ph": "X", "cat": "Runtime", "name": "cudaMemcpyAsync", "pid": 9, "tid": "3340707648", "ts": 1606911006433300, "dur": 5,
 "args": {"cbid": 41, "correlation": 65448}} ])j");
    EXPECT_EQ(trace.counts(), (RecordCounts{4, 4, 0}));
    const analysis::DeviceReport device = numbersOf(trace).at(0);
    EXPECT_EQ(device.id, "0");
    EXPECT_EQ(device.first, 1606911006433418000);
    EXPECT_EQ(device.classes.at(ActivityClass::MemcpyH2D).bytes, 19267584);
    EXPECT_EQ(device.pairs.at({ActivityClass::Kernel, ActivityClass::MemcpyH2D}), 1000);
    EXPECT_EQ(device.classes.at(ActivityClass::Kernel).streams, std::vector<std::string>{"7"});
    EXPECT_EQ(trace.provenance().tool, "PyTorch Profiler (Kineto)");
    EXPECT_EQ(trace.provenance().source, SourceKind::Imported);
    EXPECT_EQ(trace.provenance().recordedAt, "2020-12-02T12:10:06Z");
}

TEST(ChromeJson, KinetoOf2022KeepsMemoryKindsGeometryAndCorrelation) {
    const Trace trace = read(object(kernel("10", "4") + R"j(,
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)", "pid": 0, "tid": 9, "ts": 11, "dur": 1,
 "args": {"device": 0, "context": 1, "stream": 9, "correlation": 6, "bytes": 64}},
{"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 9, "ts": 13, "dur": 1,
 "args": {"device": 0, "context": 1, "stream": 9, "correlation": 7, "bytes": 16}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 44, "tid": 45, "ts": 8, "dur": 1,
 "args": {"correlation": 5}})j"));
    ASSERT_EQ(trace.size(), 4u);
    EXPECT_EQ(trace[0].cls, ActivityClass::Api);
    EXPECT_EQ(trace.text(trace[0].name), "cudaLaunchKernel");
    EXPECT_EQ(trace.queue(trace[0].queue).number, 45u);
    EXPECT_EQ(trace[1].correlation, 5u);
    ASSERT_NE(trace.geometry(1), nullptr);
    EXPECT_EQ(trace.geometry(1)->blocks(), 2u);
    EXPECT_EQ(trace[2].source, MemoryKind::Device);
    EXPECT_EQ(trace[2].target, MemoryKind::Pinned);
    EXPECT_EQ(trace[3].target, MemoryKind::Device);
}

TEST(ChromeJson, KinetoOfMarch2024WithUnpaddedNanoseconds) {
    EXPECT_EQ(read(object(kernel("5.7", "1.25")))[0].time(), (Interval{5700, 6950}));
}

TEST(ChromeJson, KinetoOfApril2024WithAbsoluteTimesOf20Digits) {
    EXPECT_EQ(read(object(kernel("1712180077123456.789", "0.001")))[0].time(),
              (Interval{1712180077123456789, 1712180077123456790}));
}

TEST(ChromeJson, VersionsThatAreNotCudasStayAsTheyAre) {
    const Trace trace = read(object(
        kernel("1", "1"), R"j("cuda_driver_version": "580.82.07", "cuda_runtime_version": "13.1", )j"));
    EXPECT_EQ(trace.environment().at("driver"), "580.82.07");
    EXPECT_EQ(trace.environment().at("runtime"), "13.1");
}

TEST(ChromeJson, KinetoSince2024SaysItsBaseAndItsDevices) {
    const Trace trace = read(object(kernel("2239812505551.474", "3.648"), R"j("schemaVersion": 1,
 "deviceProperties": [{"id": 0, "name": "NVIDIA B300", "totalGlobalMem": 287431131136, "numSms": 148}, {"id": 1, "name": "idle"}],
 "cuda_driver_version": 13010, "cuda_runtime_version": 12090, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1775078550000000000, )j"));
    ASSERT_EQ(trace.devices().size(), 1u);
    EXPECT_EQ(trace.devices()[0].name, "NVIDIA B300");
    EXPECT_EQ(trace.devices()[0].smCount, 148u);
    EXPECT_EQ(trace.environment().at("driver"), "supports CUDA 13.1") << "13010 is no version of a driver";
    EXPECT_EQ(trace.environment().at("runtime"), "12.9");
    EXPECT_EQ(trace.environment().at("import.base_time_ns"), "1775078550000000000");
    EXPECT_EQ(trace.provenance().recordedAt, "2026-04-27T19:32:42Z");
    EXPECT_EQ(trace.provenance().toolVersion, "schema 1");
    EXPECT_EQ(trace[0].begin, 2239812505551474);
}

TEST(ChromeJson, MembersBehindTheEventsCount) {
    const Trace trace = read("{\"traceEvents\": [" + kernel("1", "1") +
                             R"j(], "deviceProperties": [{"id": 0, "name": "late"}], "traceName": "x"})j");
    EXPECT_EQ(trace.devices()[0].name, "late");
    EXPECT_TRUE(trace.defects().empty());
}

TEST(ChromeJson, WaitsOfStreamsAndOfThreads) {
    const Trace trace = read(object(kernel("1", "1") + R"j(,
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 4, "tid": 4, "ts": 2, "dur": 9, "args": {"correlation": 24}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": -1, "ts": 3, "dur": 4,
 "args": {"cuda_sync_kind": "Stream Sync", "stream": 7, "correlation": 24, "device": 0, "context": 1}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 5, "dur": 1,
 "args": {"cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 30,
          "wait_on_cuda_event_id": 9, "stream": 9, "correlation": 31, "device": 0, "context": 1}})j"));
    EXPECT_EQ(countOf(trace, ActivityClass::Sync), 1u);
    EXPECT_EQ(trace.streamCalls().size(), 2u);
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        EXPECT_TRUE(trace.cls(i) != ActivityClass::Sync || trace.queue(trace.queueOf(i)).number == 4u);
}

TEST(ChromeJson, ManyKernelsOfOneGraphLaunchShareItsCorrelation) {
    const Trace trace = read(object(kernel("1", "1") + "," + kernel("2", "1") + "," + kernel("3", "1")));
    EXPECT_EQ(trace.correlation(0), 5u);
    EXPECT_EQ(trace.correlation(2), 5u);
}

TEST(ChromeJson, SpansOverKernelsAreNoWork) {
    const Trace trace = read(object(kernel("5", "1") + R"j(,
{"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 0, "tid": 7, "ts": 4.999, "dur": 2, "args": {}},
{"ph": "X", "cat": "Trace", "ts": 0.5, "dur": 9, "pid": "Spans", "tid": "PyTorch Profiler", "name": "PyTorch Profiler (0)"},
{"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 9},
{"ph": "X", "cat": "overhead", "name": "Buffer Request", "pid": -1, "tid": 0, "ts": 2, "dur": 1})j"));
    EXPECT_EQ(countOf(trace, ActivityClass::Nvtx), 3u);
    EXPECT_EQ(countOf(trace, ActivityClass::Overhead), 1u);
    EXPECT_EQ(numbersOf(trace).at(0).span, 1000);
}

TEST(ChromeJson, AnnotationsOfAGpuAreToldFromThreadsAndThreadsHaveNames) {
    const Trace trace = read(R"j({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 1, "args": {"device": 0, "stream": 7, "context": 1}},
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 55, "tid": 56, "ts": 4, "dur": 2},
{"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 0, "tid": 7, "ts": 5, "dur": 1},
{"ph": "M", "name": "thread_name", "pid": 55, "tid": 56, "args": {"name": "thread 56 (trainer)"}}]})j");
    const auto ofGpu = analysis::gpuRanges(trace);
    ASSERT_EQ(ofGpu.size(), 1u);
    EXPECT_EQ(ofGpu.begin()->second, (analysis::GpuRanges{0, 7}));
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Nvtx && !ofGpu.contains(trace.queueOf(i))) {
            EXPECT_EQ(analysis::threadName(trace, trace.queue(trace.queueOf(i))), "trainer");
        }
    EXPECT_EQ(analysis::rangeKindOf(trace, "step"), analysis::RangeKind::Annotation);
    EXPECT_EQ(analysis::rangeKindOf(trace, "aten::mm"), analysis::RangeKind::Operator);
    EXPECT_EQ(analysis::rangeKindOf(trace, "train.py(7): forward"), analysis::RangeKind::PythonFunction);
    EXPECT_EQ(analysis::rangeKindOf(Trace(), "step"), analysis::RangeKind::Nvtx);
}

TEST(ChromeJson, TensorFlow1CountsEachKernelOnce) {
    const Trace trace = read(R"j({"traceEvents": [
{"ph": "M", "pid": 5, "name": "process_name", "args": {"name": "/gpu:0/stream:all Compute"}},
{"ph": "M", "pid": 7, "name": "process_name", "args": {"name": "/gpu:0/stream:12 Compute"}},
{"ph": "X", "pid": 5, "tid": 0, "ts": 1, "dur": 10, "name": "MatMul"},
{"ph": "X", "pid": 7, "tid": 0, "ts": 1, "dur": 10, "name": "MatMul", "cat": "Op"},
{"ph": "X", "pid": 8, "tid": 0, "ts": 9, "dur": 5, "name": "MEMCPYHtoD"},
{"ph": "M", "pid": 8, "name": "process_name", "args": {"name": "/device:GPU:0/stream:13 Compute"}}]})j");
    const analysis::DeviceReport device = numbersOf(trace).at(0);
    EXPECT_EQ(device.classes.at(ActivityClass::Kernel).count, 1u);
    EXPECT_EQ(device.pairs.at({ActivityClass::Kernel, ActivityClass::MemcpyH2D}), 2000);
    EXPECT_EQ(trace.provenance().tool, "TensorFlow 1 timeline");
}

TEST(ChromeJson, TensorFlow2ByEventAndNotByLane) {
    const Trace trace = read(R"j({"displayTimeUnit": "ns", "metadata": {"highres-ticks": true}, "traceEvents": [
{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
{"ph": "M", "pid": 1, "tid": 13, "name": "thread_name", "args": {"name": "Stream #13(MemcpyD2D,Memset,Compute)"}},
{"ph": "M", "pid": 1, "tid": 99, "name": "thread_name", "args": {"name": "XLA Ops"}},
{"ph": "X", "pid": 1, "tid": 13, "ts": 0.5, "dur": 9716165.5710000005, "name": "gemm"},
{"ph": "X", "pid": 1, "tid": 13, "ts": 6, "dur": 1, "name": "MemcpyD2D",
 "args": {"memcpy_details": "kind_src:device kind_dst:device size:64 dest:0 async:1"}},
{"ph": "X", "pid": 1, "tid": 13, "ts": 8, "name": "Memset"},
{"ph": "X", "pid": 1, "tid": 99, "ts": 0, "dur": 99, "name": "fusion"}, {}]})j");
    const analysis::DeviceReport device = numbersOf(trace).at(0);
    EXPECT_EQ(device.classes.at(ActivityClass::Kernel).busy, 9716165571);
    EXPECT_EQ(device.classes.at(ActivityClass::MemcpyD2D).count, 1u);
    EXPECT_EQ(device.classes.at(ActivityClass::Memset).zeroDuration, 1u);
    EXPECT_EQ(countOf(trace, ActivityClass::Nvtx), 1u);
    EXPECT_EQ(trace[2].source, MemoryKind::Device);
}

TEST(ChromeJson, SizesOfTensorFlowThatAreNoneAreRefused) {
    const auto copy = [](const std::string& size) {
        return R"j(,{"ph": "X", "pid": 1, "tid": 13, "ts": 6, "dur": 1, "name": "MemcpyH2D",
 "args": {"memcpy_details": "kind_src:pinned size:)j" + size + R"j( async:1"}})j";
    };
    for (const char* size : {"5x", "", "-1", "0.5", "1e400"}) {
        const Trace trace = read(object(R"j(
{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
{"ph": "M", "pid": 1, "tid": 13, "name": "thread_name", "args": {"name": "Stream #13(MemcpyH2D)"}})j" + copy("64") +
                                        copy(size)));
        EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1})) << size;
        EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).classes, maskOf(ActivityClass::MemcpyH2D));
    }
}

TEST(ChromeJson, CallsOfJaxIssuedTheWorkOfItsDevices) {
    const Trace trace = read(R"j({"displayTimeUnit": "ns", "traceEvents": [
{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
{"ph": "M", "pid": 1, "tid": 13, "name": "thread_name", "args": {"name": "Stream #13(Compute)"}},
{"ph": "M", "pid": 1, "tid": 14, "name": "thread_name", "args": {"name": "Stream #14(MemcpyD2H)"}},
{"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/host:CPU"}},
{"ph": "X", "pid": 701, "tid": 5, "ts": 1, "dur": 3, "name": "cuGraphLaunch (CudaGraph:17)",
 "args": {"context_id": "$$1", "correlation_id": "1"}},
{"ph": "X", "pid": 701, "tid": 5, "ts": 5, "dur": 30, "name": "np.asarray(jax.Array)"},
{"ph": "X", "pid": 701, "tid": 6, "ts": 6, "dur": 2, "name": "MemcpyD2H", "args": {"correlation_id": "2"}},
{"ph": "X", "pid": 1, "tid": 13, "ts": 4, "dur": 10, "name": "loop_fusion", "args": {"correlation_id": "1"}},
{"ph": "X", "pid": 1, "tid": 14, "ts": 15, "dur": 1, "name": "MemcpyD2H", "args": {"correlation_id": "2",
 "memcpy_details": "kind_src:device kind_dst:pinned size:4 dest:0 async:1"}}, {}]})j");
    EXPECT_EQ(countOf(trace, ActivityClass::Api), 2u);
    EXPECT_EQ(countOf(trace, ActivityClass::Nvtx), 1u);
    std::map<std::uint32_t, std::vector<ActivityIndex>> byCorrelation;
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (trace.correlation(row) != 0)
            byCorrelation[trace.correlation(row)].push_back(row);
    ASSERT_EQ(byCorrelation.size(), 2u);
    for (const auto& [correlation, rows] : byCorrelation) {
        ASSERT_EQ(rows.size(), 2u) << "a call and its work, of one process";
        EXPECT_EQ(trace.cls(rows[0]), ActivityClass::Api);
        EXPECT_TRUE(isDeviceClass(trace.cls(rows[1])));
    }
    EXPECT_EQ(trace.text(trace.nameOf(byCorrelation.begin()->second[0])), "cuGraphLaunch");
    EXPECT_EQ(trace.bytes(byCorrelation.rbegin()->second[1]), 4);
}

/// Work of a GPU is told by the names of its process and thread alone: where one is damaged, that is said.
void expectLostLanes(std::string_view whole, std::initializer_list<const char*> names) {
    ASSERT_TRUE(read(whole).defects().empty());
    for (const std::string_view name : names) {
        std::string damaged(whole);
        damaged.at(damaged.find(name)) ^= 1;
        const Trace trace = read(damaged);
        EXPECT_GT(defectOf(trace, DefectCode::BadRecord).count, 0u) << name;
        EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).classes, kDeviceClasses) << name;
        EXPECT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
    }
}

TEST(ChromeJson, LanesThatLostTheirNamesAreSaid) {
    expectLostLanes(R"j({"traceEvents": [
{"ph": "M", "pid": 7, "name": "process_name", "args": {"name": "/gpu:0/stream:12 Compute"}},
{"ph": "M", "pid": 8, "name": "process_name", "args": {"name": "/gpu:0/stream:13 Compute"}},
{"ph": "X", "pid": 7, "tid": 0, "ts": 1, "dur": 10, "name": "MatMul", "cat": "Op"},
{"ph": "X", "pid": 8, "tid": 0, "ts": 9, "dur": 5, "name": "MEMCPYHtoD"}]})j",
                    {"process_name\", \"args\": {\"name\": \"/gpu:0/stream:13", "name\": \"/gpu:0/stream:13"});
    expectLostLanes(R"j({"displayTimeUnit": "ns", "traceEvents": [
{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
{"ph": "M", "pid": 2, "name": "process_name", "args": {"name": "/device:GPU:1"}},
{"ph": "M", "pid": 1, "tid": 13, "name": "thread_name", "args": {"name": "Stream #13(Compute)"}},
{"ph": "M", "pid": 2, "tid": 14, "name": "thread_name", "args": {"name": "Stream #14(MemcpyD2H)"}},
{"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/host:CPU"}},
{"ph": "X", "pid": 701, "tid": 5, "ts": 1, "dur": 3, "name": "cuLaunchKernel", "args": {"correlation_id": "1"}},
{"ph": "X", "pid": 701, "tid": 5, "ts": 6, "dur": 2, "name": "MemcpyD2H", "args": {"correlation_id": "2"}},
{"ph": "X", "pid": 1, "tid": 13, "ts": 4, "dur": 10, "name": "fusion", "args": {"correlation_id": "1"}},
{"ph": "X", "pid": 2, "tid": 14, "ts": 15, "dur": 1, "name": "MemcpyD2H", "args": {"correlation_id": "2",
 "memcpy_details": "kind_src:device kind_dst:pinned size:4 dest:0 async:1"}}, {}]})j",
                    {"device:GPU:1", "process_name\", \"args\": {\"name\": \"/device:GPU:1", "name\": \"/device:GPU:1",
                     "Stream #14", "name\": \"Stream #14", "thread_name\", \"args\": {\"name\": \"Stream #13"});
}

TEST(ChromeJson, AnyChromeTraceIsShown) {
    const Trace trace = read(R"j([
{"ph": "B", "cat": "cc", "name": "outer", "pid": 1, "tid": 2, "ts": 10}, {"ph": "B", "name": "inner", "pid": 1, "tid": 2, "ts": 12},
{"ph": "E", "pid": 1, "tid": 2, "ts": 13}, {"ph": "E", "pid": 1, "tid": 2, "ts": 20}, {"ph": "B", "name": "open", "pid": 1, "tid": 2, "ts": 21},
{"ph": "b", "cat": "net", "id": "0x1f", "name": "load", "pid": 1, "tid": 2, "ts": 1}, {"ph": "e", "cat": "net", "id": "0x1f", "pid": 1, "tid": 2, "ts": 5},
{"ph": "C", "name": "memory", "pid": 1, "ts": 3, "args": {"a": 1}}, {"ph": "i", "name": "mark", "pid": 1, "tid": 2, "ts": 4}])j");
    EXPECT_EQ(countOf(trace, ActivityClass::Nvtx), 4u);
    EXPECT_TRUE(numbersOf(trace).empty());
    EXPECT_EQ(defectOf(trace, DefectCode::OpenRange).count, 1u);
    EXPECT_EQ(defectOf(trace, DefectCode::UnknownKind).count, 1u);
    EXPECT_EQ(trace.counts(), (RecordCounts{6, 4, 2}));
    EXPECT_EQ(trace.provenance().tool, "Chrome trace");
}

TEST(ChromeJson, BeginsAndEndsOfDeviceWorkArePaired) {
    const Trace trace = read(R"j([
{"ph": "B", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1.5, "args": {"device": 3}},
{"ph": "E", "cat": "kernel", "pid": 0, "tid": 7, "ts": 4}, {"ph": "E", "cat": "kernel", "pid": 0, "tid": 7, "ts": 9}])j");
    EXPECT_EQ(numbersOf(trace).at(0).id, "3");
    EXPECT_EQ(numbersOf(trace).at(0).span, 2500);
    EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, 1u);
}

// clang-format on

// --- pieces

/// Events of many shapes and sizes, over several pieces of the file.
std::string manyEvents(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += i == 0 ? "" : i % 7 == 0 ? ", " : ",\n  ";
        text += kernel(std::to_string(10 + 3 * i) + "." + std::to_string(i % 1000), "2",
                       i % 5 == 0 ? "esc\\\"aped" : "kernel" + std::to_string(i % 50));
        if (i % 11 == 0)
            text +=
                R"j(,{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 2, "dur": 1, "args": )j"
                R"j({"list": [{"name": "not"}, {"ph": 3, "x": "},{"}], "text": "}, {\"ph\": "}, "ts": )j" +
                std::to_string(i + 1) + "}";
    }
    return text;
}

TEST(ChromeJson, PiecesOfAFileGiveTheSameAsOne) {
    constexpr std::size_t kCount = 40'000; // some ten pieces
    const Trace trace = read(object(manyEvents(kCount)));
    EXPECT_EQ(countOf(trace, ActivityClass::Kernel), kCount);
    EXPECT_EQ(countOf(trace, ActivityClass::Nvtx), (kCount + 10) / 11);
    EXPECT_TRUE(trace.defects().empty());
    EXPECT_EQ(trace, read(object(manyEvents(kCount)))); // whatever the threads did
}

TEST(ChromeJson, AnEventLargerThanAPiece) {
    const std::string large(5 << 20, 'x');
    const Trace trace =
        read(object(kernel("1", "1", large) + "," + kernel("3", "1") + "," + kernel("5", "1", large)));
    EXPECT_EQ(trace.size(), 3u);
}

TEST(ChromeJson, ReadingIsCancelled) {
    const TextFile file(object(manyEvents(40'000)));
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    control.progress = [&stop](double, std::string_view) { stop.request_stop(); };
    EXPECT_THROW(readRecording(file.path(), control), Error);
}

TEST(ChromeJson, RowsInBulkAreTheSameAsRecords) {
    TraceBuilder one, bulk;
    ActivityRecord record;
    record.cls = ActivityClass::Kernel, record.device = 0, record.stream = 7;
    record.name = one.intern("k");
    bulk.intern("k");
    const std::uint32_t shape = bulk.shape(record);
    std::vector<ActivityRow> rows;
    for (const auto& [begin, end] : {std::pair<Ns, Ns>{5, 9}, {0, 0}, {9, 3}, {1, 2}}) {
        record.begin = begin, record.end = end, record.correlation = 3;
        one.add(record);
        rows.push_back({begin, end, shape, 3});
    }
    bulk.addRows(rows);
    EXPECT_EQ(bulk.finish(), one.finish());
}

} // namespace
} // namespace olab::io
