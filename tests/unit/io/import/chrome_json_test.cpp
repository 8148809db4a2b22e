// Each generation of traces, and what damaged files do to them.
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

// --- damage: each costs what it touches

TEST(ChromeJson, FilesThatEndTooEarly) {
    const std::string whole = kernel("1", "1") + ",\n" + kernel("3", "1");
    for (const std::string& text :
         {"{\"traceEvents\": [" + whole, "{\"traceEvents\": [" + whole + ",", "{\"traceEvents\": [" + whole + "]"}) {
        const Trace trace = read(text);
        EXPECT_EQ(trace.size(), 2u) << text;
        EXPECT_EQ(defectOf(trace, DefectCode::TruncatedFile).count, 1u) << text;
    }
    const Trace list = read("[" + whole + ",\n"); // the format lets writers leave out the end of a list
    EXPECT_EQ(list.size(), 2u);
    EXPECT_EQ(defectOf(list, DefectCode::OpenEnd).count, 1u);
    const Trace cut = read("[" + whole + ",\n" + kernel("5", "1").substr(0, 60));
    EXPECT_EQ(cut.size(), 2u);
    EXPECT_EQ(defectOf(cut, DefectCode::TruncatedFile).count, 1u);
    EXPECT_EQ(cut.counts(), (RecordCounts{3, 2, 1}));
}

TEST(ChromeJson, AListNeedsNoEndButItsEventsDo) {
    const std::string list = "[" + kernel("1", "1") + ",\n" + kernel("3", "1");
    for (const char* end : {"", ",", ",\n", "\n"}) {
        const Trace trace = read(list + end);
        ASSERT_EQ(trace.defects().size(), 1u);
        EXPECT_EQ(trace.defects()[0].code, DefectCode::OpenEnd);
        EXPECT_EQ(trace.defects()[0].severity(), Severity::Notice);
        EXPECT_THAT(trace.defects()[0].detail, HasSubstr("which this format allows"));
    }
    EXPECT_EQ(defectOf(read(list + ", {\"ph\": \"X\", \"na"), DefectCode::TruncatedFile).count, 1u);
    EXPECT_TRUE(read(list + "]\n").defects().empty());
}

TEST(ChromeJson, WhatStandsBehindTheEndIsToldAndCounted) {
    const std::string two = kernel("1", "1") + "," + kernel("3", "1"), whole = object(two);
    const struct {
        std::string file;
        DefectCode code;
        std::uint64_t count;
        std::string_view what;
    } files[] = {
        {whole + " oops", DefectCode::DamagedChunk, 1, "text after the end"},
        {whole + "{\"a\": 1}", DefectCode::DamagedChunk, 1, "text after the end"},
        {"[" + two + "]]", DefectCode::DamagedChunk, 1, "text after the end"},
        {whole + "\n" + whole, DefectCode::ChunkOrder, 2, "a second document"},
        {whole + whole + "[" + two, DefectCode::ChunkOrder, 4, "a second document"},
        {"{\"traceEvents\": [" + two + "], \"traceEvents\": [" + two + "," + two + "], \"x\": 1}",
         DefectCode::ChunkOrder, 4, "a second list"},
    };
    for (const auto& file : files) {
        const Trace trace = read(file.file);
        EXPECT_EQ(trace.size(), 2u) << file.file;
        ASSERT_EQ(trace.defects().size(), 1u) << file.file;
        const Defect& defect = trace.defects()[0];
        EXPECT_EQ(defect.code, file.code);
        EXPECT_EQ(defect.count, file.count);
        EXPECT_EQ(defect.severity(), Severity::DataLoss);
        EXPECT_THAT(defect.detail, AllOf(HasSubstr(file.what), HasSubstr("the first at byte")));
        EXPECT_EQ(trace.counts(), (RecordCounts{2 + file.count, 2, file.count}));
    }
    EXPECT_TRUE(read(whole + " \n\n").defects().empty());
}

TEST(ChromeJson, ZerosInPlaceOfTextAreToldHoweverTheyFit) {
    std::string events;
    for (int i = 1; i < 40; ++i)
        events += (i == 1 ? "" : ",\n") + kernel(std::to_string(10 * i), "5", "some kernel");
    const std::string whole = object(events);
    for (std::size_t at = 1'000; at < 1'300; ++at) { // from any place of an event to any other one
        std::string text = whole;
        text.replace(at, 2'048, std::string(2'048, '\0'));
        const Trace trace = read(text);
        EXPECT_GT(trace.size(), 20u) << at;
        const Defect defect = defectOf(trace, DefectCode::DamagedChunk);
        EXPECT_EQ(defect.count, 1u) << at;
        EXPECT_EQ(defect.classes, kAllClasses);
        EXPECT_THAT(defect.detail, HasSubstr("zero bytes"));
        EXPECT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
    }
}

TEST(ChromeJson, AMissingQuoteBelowArgsCostsOneEvent) { // not all to the next place where it fits by chance
    const std::string broken =
        R"j({"ph": "X", "cat": "cpu_op", "name": "o", "pid": 1, "tid": 2, "ts": 1, "dur": 1, "args": {"p": ["C:\"]}})j";
    const Trace trace = read(object(broken + "," + kernel("1", "1") + "," + kernel("3", "1") + "," + broken +
                                    "," + kernel("5", "1")));
    EXPECT_EQ(trace.counts(), (RecordCounts{5, 3, 2}));
    EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, 2u);
}

TEST(ChromeJson, EventsWithoutAPhaseAreRefused) {
    const std::string whole = kernel("1", "1"), key = R"("ph": "X")";
    for (const char* phase : {R"("ph": 5)", R"("ph": null)", R"("qh": "X")", R"("ph": "XX")", R"("ph": "")"}) {
        std::string broken = whole;
        broken.replace(broken.find(key), key.size(), phase);
        const Trace trace = read(object(whole + "," + broken + "," + broken + "," + whole));
        EXPECT_EQ(trace.counts(), (RecordCounts{4, 2, 2})) << phase;
        ASSERT_EQ(trace.defects().size(), 1u);
        EXPECT_EQ(trace.defects()[0].classes, maskOf(ActivityClass::Kernel));
        EXPECT_THAT(trace.defects()[0].text(), AllOf(HasSubstr("without a phase"), HasSubstr("first at byte")));
    }
    EXPECT_EQ(defectOf(read(object(whole + ",{\"name\": \"k\"}")), DefectCode::BadRecord).classes, kAllClasses);
}

TEST(ChromeJson, ACommaAtEitherEndAndFillersAreNothing) {
    const Trace trace = read("[,{}," + kernel("1", "1") + ",{},]");
    EXPECT_EQ(trace.size(), 1u);
    EXPECT_TRUE(trace.defects().empty());
}

TEST(ChromeJson, CommasThatAreMissingOrTooManyAreToldAndCostNothing) {
    const std::string one = kernel("1", "1"), two = kernel("3", "1");
    const std::pair<std::string, std::size_t> lists[] = { // and where the wrong one is told
        {one + ",," + two, one.size() + 2},     {one + " , \n, " + two, one.size() + 6}, {one + " " + two, one.size() + 1},
        {one + two, one.size()},                {",," + one + "," + two, 2},             {one + "," + two + ",,", 0},
        {one + two + two + ",," + one, one.size()}};
    for (const auto& [list, place] : lists) {
        const Trace trace = read("[" + list + "]");
        EXPECT_EQ(trace.counts().refused, 0u) << list;
        EXPECT_EQ(trace.counts().kept, list.size() > 2 * one.size() + 9 ? 4u : 2u);
        ASSERT_EQ(trace.defects().size(), 1u) << list;
        EXPECT_EQ(trace.defects()[0].code, DefectCode::DamagedChunk);
        EXPECT_EQ(trace.defects()[0].classes, kAllClasses);
        const std::size_t at = 1 + (place > 0 ? place : list.size());
        EXPECT_THAT(trace.defects()[0].detail, testing::EndsWith("the first at byte " + std::to_string(at)));
    }
}

TEST(ChromeJson, ValuesBetweenEventsCostThemselvesOnly) {
    const std::string one = kernel("1", "1"), flipped = "[" + one.substr(1);
    for (const std::string& value : {std::string("null"), std::string("5"), std::string("\"x\""), std::string("[]"),
                                     std::string("[{\"ph\": \"X\"}]"), std::string("nul"), flipped}) {
        const ClassMask classes = value == flipped ? maskOf(ActivityClass::Kernel) : kAllClasses;
        for (const std::string& list : {one + "," + value + "," + one, value + "," + one + "," + one + ",",
                                        one + "," + one + "," + value, one + ", " + value + one}) {
            const Trace trace = read(object(list));
            EXPECT_EQ(trace.counts(), (RecordCounts{3, 2, 1})) << list;
            ASSERT_EQ(trace.defects().size(), 1u) << list;
            EXPECT_EQ(trace.defects()[0].code, DefectCode::BadRecord);
            EXPECT_EQ(trace.defects()[0].classes, classes) << list;
        }
    }
    EXPECT_EQ(read(object(one + ",1,null," + one)).counts(), (RecordCounts{4, 2, 2}));
    EXPECT_EQ(read(object(one + ",\"dur\": 5}," + one)).counts(), (RecordCounts{3, 2, 1})) << "the rest of an event";
}

TEST(ChromeJson, ABrokenEventCostsOneEvent) {
    const std::string broken[] = {
        R"j({"ph": "X", "cat": "cpu_op", "name": "a "quoted" b", "pid": 1, "tid": 2, "ts": 1, "dur": 1})j",
        R"j({"ph": "X", "cat": "cpu_op", "name": "C:\", "pid": 1, "tid": 2, "ts": 1, "dur": 1})j",
        R"j({"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, tid": 2, "ts": 1, "dur": 1})j",
        R"j({"ph": "X", "cat": "cpu_op", "name": "x", "args": {"dims": [[1, 2}, "ts": 1, "dur": 1})j"};
    for (const std::string& event : broken) {
        const Trace trace = read(object(kernel("1", "1") + ",\n" + event + ",\n" + kernel("3", "1")));
        EXPECT_EQ(countOf(trace, ActivityClass::Kernel), 2u) << event;
        const Defect defect = defectOf(trace, DefectCode::BadRecord);
        EXPECT_EQ(defect.count, 1u) << event;
        EXPECT_EQ(defect.classes, maskOf(ActivityClass::Nvtx)) << event; // nothing else is in doubt
        EXPECT_THAT(defect.detail, HasSubstr("the first at byte"));
        EXPECT_EQ(trace.counts(), (RecordCounts{3, 2, 1}));
    }
}

TEST(ChromeJson, ABrokenCopyLeavesKernelsAlone) {
    const Trace trace = read(object(kernel("1", "1") + R"j(,
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy "HtoD"", "pid": 0, "tid": 7, "ts": 4, "dur": 1},)j" + kernel("5", "1")));
    const ClassMask touched = defectOf(trace, DefectCode::BadRecord).classes;
    EXPECT_NE(touched & maskOf(ActivityClass::MemcpyH2D), 0u);
    EXPECT_EQ(touched & maskOf(ActivityClass::Kernel), 0u);
}

TEST(ChromeJson, ValuesThatAreNone) {
    const Trace trace = read(object(R"j(
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 4, "dur": 1,
 "args": {"device": 0, "stream": 7, "bytes": N/A, "bandwidth": inf, "x": -Infinity, "y": NaN, "z": 007}},)j" +
        kernel("NaN", "1") + "," + kernel("N/A", "1") + "," + kernel("null", "1")));
    ASSERT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace[0].bytes, 0);
    EXPECT_EQ(trace.counts(), (RecordCounts{4, 1, 3}));
    EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, 2u) << "null says that there is none";
}

TEST(ChromeJson, TimesThatAreNone) {
    const Trace trace = read(object(kernel("0", "0") + "," + kernel("0.000", "0.000") + "," + kernel("5", "-1") + "," +
                                    kernel("1e300", "1") + "," + kernel("7", "null") + "," + kernel("8", "0")));
    EXPECT_EQ(trace.size(), 1u); // one of no length is one
    EXPECT_EQ(defectOf(trace, DefectCode::NoTimestamp).count, 2u);
    EXPECT_EQ(defectOf(trace, DefectCode::EndBeforeStart).count, 1u);
    EXPECT_EQ(trace.counts(), (RecordCounts{6, 1, 5}));
}

TEST(ChromeJson, TimesThatAreNoNumbersAreNoOpenRanges) {
    const auto host = [](std::string_view ts, std::string_view dur) {
        return R"j({"ph": "X", "cat": "cpu_op", "name": "o", "pid": 1, "tid": 2, "ts": )j" + std::string(ts) +
               ", \"dur\": " + std::string(dur) + "}";
    };
    const auto detail = [&](const std::string& event) {
        const Trace trace = read(object(kernel("1", "1") + "," + event + "," + event));
        EXPECT_EQ(trace.counts(), (RecordCounts{3, 1, 2})) << event;
        EXPECT_EQ(trace.defects().size(), 1u) << event;
        EXPECT_EQ(trace.defects()[0].count, 2u);
        return std::string(defectRow(trace.defects()[0].code).id) + ": " + trace.defects()[0].detail;
    };
    for (const char* none : {"NaN", "Infinity", "-Infinity", "N/A", "\"x\""}) {
        for (const std::string& event : {host(none, "1"), kernel(none, "1")})
            EXPECT_THAT(detail(event), HasSubstr("bad-record: events whose time is not a JSON number")) << event;
        for (const std::string& event : {host("1", none), kernel("1", none)})
            EXPECT_THAT(detail(event), HasSubstr("bad-record: events whose duration is not a JSON number"));
    }
    for (const char* far : {"1e300", "99999999999999999999999", "-1e20"})
        for (const std::string& event : {host(far, "1"), kernel(far, "1")})
            EXPECT_THAT(detail(event), HasSubstr("bad-record: events whose time is out of range")) << event;
    EXPECT_THAT(detail(host("9223372036854775.8", "9e15")), HasSubstr("bad-record: events whose end is out of"));
    EXPECT_THAT(detail(host("1", "null")), HasSubstr("open-range: ranges without a duration"));
}

std::string workIn(std::string_view stream, std::string_view args = "\"correlation\": 1") {
    return R"j({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 1, "ts": 5, "dur": 1, "args": )j"
           R"j({"device": 0, "context": 1, "stream": )j" + std::string(stream) + ", " + std::string(args) + "}}";
}

/// HIP names streams by a handle, and Kineto writes it down since 2026.
TEST(ChromeJson, StreamsOfLargeIdsAreStreams) {
    const Trace trace = read(object(workIn("140000000000000") + "," + workIn("140000000004096") + "," +
                                    workIn("140000000000000") + "," + workIn("7") + "," + workIn("2147483657") + "," +
                                    workIn("\"0x7f54a0001000\"") + "," + workIn("18446744073709486080") + "," +
                                    workIn("-1")));
    std::vector<std::string> texts;
    for (const Queue& queue : trace.queues())
        texts.push_back(trace.queueText(queue));
    EXPECT_THAT(texts, testing::UnorderedElementsAre("stream 140000000000000", "stream 140000000004096", "stream 7",
                                                     "stream 2147483657", "stream 140001438339072",
                                                     "stream -65536", "unknown stream"));
    EXPECT_TRUE(trace.defects().empty());
    EXPECT_THAT(numbersOf(trace).at(0).classes.at(ActivityClass::MemcpyH2D).streams, testing::Contains("140000000004096"));
}

TEST(ChromeJson, ImpossibleNumbersInArgumentsAreRefused) {
    for (const char* args : {R"("bytes": -1)", R"("bytes": 1e400)", R"("bytes": 9223372036854775808)",
                             R"("bytes": "1e400")", R"("bytes": "99999999999999999999")", R"("bytes": "5x")",
                             R"("bytes": "")", R"("bytes": "\u0035")", R"("bytes": true)", R"("bytes": [])",
                             R"("bytes": {"n": 5})", R"("bytes": -0.5)", R"("bytes": 0.5)", R"("bytes": NaN)",
                             R"("correlation": 1e400)", R"("correlation": 0.5)", R"("context": 1e300)",
                             R"("context": true)", R"("context": [1])"}) {
        const Trace trace = read(object(workIn("7", args) + "," + workIn("7", R"("bytes": 5)")));
        EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1})) << args;
        EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).classes, kCopyClasses);
    }
    for (const char* args : {"\"x\"", "[]", "5"})
        EXPECT_EQ(read(object(kernel("1", "1") + R"(,{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 1, "ts": 5, "dur": 1, "args": )" +
                              args + "}")).counts(), (RecordCounts{2, 1, 1})) << args;
    for (const char* args : {R"("bytes": null, "correlation": "N/A")", R"("bytes": "N/A", "correlation": null)",
                             R"("bytes": " 5.0 ", "correlation": "x")"})
        EXPECT_TRUE(read(object(workIn("7", args))).defects().empty()) << "unknown, or a number " << args;
}

TEST(ChromeJson, DeviceWorkWithoutACategoryOrAStreamThatIsOneIsRefused) {
    const auto countsWith = [](const std::string& cat, const std::string& stream, const std::string& context) {
        const std::string event = R"j({"ph":"X","cat":)j" + cat + R"j(,"name":"k","pid":0,"tid":7,"ts":5,"dur":1,"args":{"stream":)j" +
                                  stream + ",\"context\":" + context + ",\"correlation\":3}}";
        const Trace trace = read(object(kernel("1", "1") + "," + event + "," + event)); // of the second a template knows
        EXPECT_EQ(defectOf(trace, DefectCode::BadRecord).count, trace.counts().refused);
        EXPECT_TRUE(trace.counts().refused == 0 || (defectOf(trace, DefectCode::BadRecord).classes & maskOf(ActivityClass::Kernel)) != 0);
        return trace.counts();
    };
    const std::string kernels = "\"kernel\"";
    EXPECT_EQ(countsWith(kernels, "7", "1"), (RecordCounts{3, 3, 0}));
    EXPECT_EQ(countsWith(kernels, "-1", "\"0x7\""), (RecordCounts{3, 3, 0})) << "none, and a handle";
    for (const char* cat : {"null", "5", "[]", "{}", "true"})
        EXPECT_EQ(countsWith(cat, "7", "1"), (RecordCounts{3, 1, 2})) << cat;
    for (const char* id : {"null", "\"x\"", "\"\"", "true", "[]"}) {
        EXPECT_EQ(countsWith(kernels, id, "1"), (RecordCounts{3, 1, 2})) << id;
        EXPECT_EQ(countsWith(kernels, "7", id), (RecordCounts{3, 1, 2})) << id;
    }
}

TEST(ChromeJson, ToolsWhoseWorkIsNotReadAreKnown) {
    const auto toolOf = [](const std::string& event) { return read(object(event)).provenance().tool; };
    const auto process = [](const std::string& name) {
        return R"j({"ph": "M", "name": "process_name", "pid": 1, "args": {"name": ")j" + name + "\"}}";
    };
    EXPECT_EQ(toolOf(process("CPU HIP API")), "rocprof of ROCm");
    EXPECT_EQ(toolOf(process("Ascend Hardware")), "the Ascend profiler");
    EXPECT_EQ(toolOf(R"j({"ph": "X", "cat": "kernel_dispatch", "name": "k", "pid": 1, "tid": 1, "ts": 1, "dur": 1})j"),
              "rocprofv3 of ROCm (by way of Perfetto)");
    EXPECT_EQ(toolOf(process("python")), "Chrome trace");
}

TEST(ChromeJson, TimesAsTextAndIdsBeyond64Bits) {
    const Trace trace = read(object(kernel("\" 12.5 \"", "\"1e1\"") + R"j(,
{"ph": "X", "cat": "cpu_op", "name": "c", "pid": 123456789012345678901, "tid": -4, "ts": 1, "dur": 1,
 "args": {"Comms Id": 10159970886766084423}})j"));
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[1].time(), (Interval{12500, 22500}));
}

TEST(ChromeJson, NamesWithBytesThatAreNoText) {
    const Trace trace = read(object(kernel("1", "1", "a\x01" "b\xff\xc3\xa9") + "," +
                                    kernel("3", "1", R"j(\u00e9 \ud83d\ude00 \ud800 C:\\d \"q\" \x)j")));
    EXPECT_EQ(trace.text(trace.nameOf(0)), "a\xef\xbf\xbd" "b\xef\xbf\xbd\xc3\xa9");
    EXPECT_EQ(trace.text(trace.nameOf(1)), "\xc3\xa9 \xf0\x9f\x98\x80 \xef\xbf\xbd C:\\d \"q\" \\x");
}

TEST(ChromeJson, BytesThatAreNotUtf8AreToldWithWhatToDo) {
    const Trace trace = read(object(kernel("1", "1", "k\xe9rnel") + "," + kernel("3", "1", "\xc3\xa9") + "," +
                                    kernel("5", "1", "\xfc\xff")));
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_EQ(trace.defects()[0].code, DefectCode::TextEncoding);
    EXPECT_EQ(trace.defects()[0].count, 3u);
    EXPECT_EQ(trace.defects()[0].severity(), Severity::Notice);
    EXPECT_THAT(trace.defects()[0].text(), AllOf(HasSubstr("iconv"), HasSubstr("at byte 56")));
    EXPECT_EQ(trace.size(), 3u);
}

TEST(ChromeJson, OfKeysThatComeTwiceTheLastCounts) {
    EXPECT_EQ(read(object(R"j({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "ts": 2, "dur": 1})j"))[0].begin, 2000);
    const std::string twice = R"j({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": null, "ts": 2, "dur": 1})j";
    const Trace trace = read(object(twice + "," + twice)); // of the second a template holds the word itself
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[1].begin, 2000);
}

// clang-format on

TEST(ChromeJson, EscapesInKeysAndKnownWordsAreRead) {
    const auto copy = [](const char* event) {
        return read(object(std::string(event) + "," + kernel("9", "1")));
    };
    const auto valuesOf = [](const Trace& trace) {
        const Activity a = trace[0];
        return std::tuple(a.cls, a.begin, a.bytes, trace.queue(a.queue).number, trace.source(0),
                          trace.target(0));
    };
    const char* const plain =
        R"j({"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Pinned -> Device)","pid":0,"tid":1,"ts":4,"dur":1,"args":{"stream":8,"bytes":5}})j";
    for (const auto& [word, escaped] : {std::pair{"cat\"", "\\u0063at\""},
                                        {"gpu_memcpy", "gpu_memcp\\u0079"},
                                        {"ph\"", "p\\u0068\""},
                                        {"X", "\\u0058"},
                                        {"args", "ar\\u0067s"},
                                        {"stream", "\\u0073tream"},
                                        {"bytes", "b\\u0079tes"},
                                        {">", "\\u003e"},
                                        {"HtoD", "\\u0048toD"}}) {
        std::string event = plain;
        event.replace(event.find(word), std::string_view(word).size(), escaped);
        const Trace trace = copy(event.c_str());
        ASSERT_EQ(trace.size(), 2u) << event;
        EXPECT_TRUE(trace.defects().empty()) << event;
        EXPECT_EQ(valuesOf(trace), valuesOf(copy(plain))) << event;
    }
    EXPECT_EQ(read(R"j({"trace\u0045vents": [)j" + kernel("1", "1") + "]}").size(), 1u);
    EXPECT_EQ(defectOf(read(object(R"j({"ph":"X","cat":"kerne\u006c","ts":1 2},)j" + kernel("1", "1"))),
                       DefectCode::BadRecord)
                  .classes,
              maskOf(ActivityClass::Kernel));
}

TEST(ChromeJson, DeepNestingCostsNothing) {
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    const std::string begin =
        R"j({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1, "args": {"x": )j";
    EXPECT_EQ(read(object(begin + deep + "}}")).size(), 1u);
}

TEST(ChromeJson, ByteOrderMarksAndDamageBeforeTheEvents) {
    EXPECT_EQ(read("\xef\xbb\xbf \n" + object(kernel("1", "1"))).size(), 1u);
    EXPECT_EQ(read(object(kernel("1", "1"), R"j("bad": "a "quote" in it", )j")).size(), 1u);
}

TEST(ChromeJson, JsonThatIsNoTraceIsRefusedWithWhatToDo) {
    for (const char* text :
         {"{}", "{\"a\": 1}", "{\"spans\": [{\"name\": \"x\"}]}", "{\"a\" 1}", "[1, 2]", "[{\"a\": 1}]"}) {
        try {
            read(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "unknown-format");
            EXPECT_THAT(error.hint(), HasSubstr("traceEvents"));
        }
    }
    EXPECT_EQ(read("[]").size(), 0u);
}

TEST(ChromeJson, WordsInThePlaceOfNumbersAreNone) { // the fuzzer's: a template holds them itself
    std::string events;
    for (int i = 0; i < 3; ++i)
        events += (i == 0 ? "" : ",") +
                  std::string("{\"ph\": \"i\", \"name\": \"n\", \"pid\": x, \"tid\": \xff, \"ts\": 5}");
    EXPECT_EQ(read(object(events)).size(), 3u);
}

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
