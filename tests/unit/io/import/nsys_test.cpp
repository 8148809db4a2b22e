// Nsight Systems exports of each generation, row by row.
#include "nsys_tables.h"

#include <olab/analysis/analyze.h>
#include <olab/analysis/threads.h>
#include <olab/io/formats.h>
#include <olab/trace/lanes_of.h>

#include <map>

using namespace olab;
using namespace olab::test;
using testing::HasSubstr;
using enum ActivityClass;

namespace {

TEST_F(Nsys, AnEmptyExportIsReadAndSaysWhatMadeIt) {
    const Trace trace =
        read(sql("CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
                 "INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION', '2026.1.1.204')"));
    EXPECT_TRUE(trace.empty());
    EXPECT_EQ(trace.provenance().source, SourceKind::Imported);
    EXPECT_EQ(trace.provenance().tool, "NVIDIA Nsight Systems");
    EXPECT_EQ(trace.provenance().toolVersion, "2026.1.1.204");
    const Trace older =
        read(sql("CREATE TABLE EXPORT_META_DATA(name TEXT, value TEXT);"
                 "INSERT INTO EXPORT_META_DATA VALUES('EXPORT_PRODUCT_VERSION', '2022.2.1.31')"));
    EXPECT_EQ(older.provenance().toolVersion, "2022.2.1.31");
}

TEST_F(Nsys, AnExportWithoutNamesIsOneToo) {
    makeDatabase(path("a.sqlite"), "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
                                   "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT);"
                                   "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(100,200)");
    const Trace trace = std::move(io::readRecording(path("a.sqlite")).trace);
    ASSERT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace.provenance().tool, "NVIDIA Nsight Systems");
}

TEST_F(Nsys, AllThatAKernelSays) {
    const Trace trace =
        read(sql(kernelTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
                                 "(100,250,1,3,7,42,$PID, 1,2, 32, 10,20,30, 128,2,1, 48,1024)"));
    ASSERT_EQ(trace.size(), 1u);
    const Activity a = trace[0];
    EXPECT_EQ(a.cls, Kernel);
    EXPECT_EQ(a.time(), (Interval{100, 250}));
    EXPECT_EQ(a.correlation, 42u);
    EXPECT_EQ(trace.text(a.name), "void ns::add<float>(float*)");
    EXPECT_EQ(trace.devices()[a.device].device, 1u);
    EXPECT_EQ(trace.queue(a.queue).number, 7u);
    EXPECT_EQ(trace.queue(a.queue).context, 3u);
    const KernelGeometry* g = trace.geometry(0);
    ASSERT_NE(g, nullptr);
    EXPECT_EQ(*g, (KernelGeometry{{10, 20, 30}, {128, 2, 1}, 32, 48, 1024}));
    ASSERT_EQ(trace.processes().size(), 1u);
    EXPECT_EQ(trace.processes()[0].pid, kProcess);
}

TEST_F(Nsys, FewColumnsAreEnough) {
    const Trace trace =
        read(sql("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, mangledName INT);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(100,250,4);"
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, copyKind INT);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(120,130,2);"
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(140,150)"));
    ASSERT_EQ(trace.size(), 3u);
    EXPECT_EQ(trace.text(trace[0].name), "_ZN2ns3addIfEEvPf");
    EXPECT_EQ(trace.geometry(0), nullptr) << "what was not recorded is not known";
    EXPECT_EQ(trace[1].cls, MemcpyD2H);
    EXPECT_EQ(trace[1].source, MemoryKind::Unknown);
    EXPECT_EQ(trace.queue(trace[0].queue).number, kNoNumber);
    EXPECT_EQ(trace.counts().refused, 0u);
}

TEST_F(Nsys, CopiesByTheirKindWithMemoryInNsightsOwnNumbers) {
    const Trace trace =
        read(sql(copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"
                               "(10,20,0,1,7,1,$PID, 64, 1, 0,2),(20,30,0,1,7,2,$PID, 65, 2, 2,1),"
                               "(30,40,0,1,7,3,$PID, 66, 8, 2,2),(40,50,0,1,7,4,$PID, 67, 10, 2,2),"
                               "(50,60,0,1,7,5,$PID, 68, 9, 1,0),(60,70,0,0,0,0,$PID, 69, 11, 7,7),"
                               "(70,80,0,1,7,6,$PID, 70, 1, NULL,4)"));
    ASSERT_EQ(trace.size(), 7u);
    const ActivityClass classes[] = {MemcpyH2D,   MemcpyD2H, MemcpyD2D, MemcpyP2P,
                                     MemcpyOther, MemcpyH2D, MemcpyH2D};
    for (ActivityIndex i = 0; i < 7; ++i) {
        EXPECT_EQ(trace.cls(i), classes[i]) << i;
        EXPECT_EQ(trace.bytes(i), 64 + i);
    }
    EXPECT_EQ(trace.source(0), MemoryKind::Pageable);
    EXPECT_EQ(trace.target(0), MemoryKind::Device);
    EXPECT_EQ(trace.target(1), MemoryKind::Pinned);
    EXPECT_EQ(trace.flags(5) & kFlagUnified, kFlagUnified) << "a migration is counted apart";
    EXPECT_EQ(trace.source(5), MemoryKind::Unknown);
    EXPECT_EQ(trace.flags(0) & kFlagUnified, 0);
    EXPECT_EQ(trace.source(6), MemoryKind::Unknown);
    EXPECT_EQ(trace.target(6), MemoryKind::Managed);
}

/// Their records name stream 0, which no stream is: to put them into others can not be the advice.
TEST_F(Nsys, MigrationsAreNotSaidToShareAStream) {
    const auto sameStream = [this](int toDevice, int toHost) {
        std::string rows = copyTable();
        for (int i = 0; i < 10; ++i)
            rows += "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(" + std::to_string(100 * i + 100) + "," +
                    std::to_string(100 * i + 180) + ",0,0,0,0,$PID, 4096, " +
                    std::to_string(i % 2 == 0 ? toDevice : toHost) + ", 7,7);";
        const Trace trace = read(sql(rows));
        const auto lanes = lanesOf(trace);
        const analysis::Report report = analysis::analyze({trace, *lanes});
        return std::ranges::any_of(report.findings,
                                   [](const analysis::Finding& f) { return f.id == "same-stream"; });
    };
    EXPECT_TRUE(sameStream(1, 2)) << "copies do";
    EXPECT_FALSE(sameStream(11, 12));
}

TEST_F(Nsys, TheFilesOwnEnumerationOfMemoryKindsHolds) {
    const Trace trace = read(sql(
        copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,1,7,1,$PID, 64, 1, 8,9);"
                      "CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
                      "INSERT INTO ENUM_CUDA_MEM_KIND VALUES(8,'CUDA_MEMOPR_MEMORY_KIND_PINNED','Pinned'),"
                      "(9,'CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC','Device Static')"));
    EXPECT_EQ(trace.source(0), MemoryKind::Pinned);
    EXPECT_EQ(trace.target(0), MemoryKind::DeviceStatic);
}

TEST_F(Nsys, CallsHaveTheirThreadAndTheirNameWithoutItsVersion) {
    const Trace trace = read(
        sql("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, "
            "correlationId INT, nameId INT, returnValue INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(5,9,0,$TID,42,3,0),(10,11,0,$TID,43,3,2)"));
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace.text(trace[0].name), "cudaMemcpyAsync");
    EXPECT_EQ(trace.queue(trace[0].queue).number, kThread);
    EXPECT_EQ(trace.flags(0), 0);
    EXPECT_EQ(trace.flags(1), kFlagFailed);
}

TEST_F(Nsys, ThreadsWithActivitiesHaveTheirNames) {
    const Trace trace = read(
        sql("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, "
            "correlationId INT, nameId INT, returnValue INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(5,9,0,$TID,42,3,0);"
            "CREATE TABLE ThreadNames(nameId INT, priority INT, globalTid INT);"
            "INSERT INTO ThreadNames VALUES(5,0,$TID),(2,0,$PID)"));
    EXPECT_EQ(analysis::threadName(trace, trace.queue(trace.queueOf(0))), "step");
    EXPECT_EQ(trace.environment().count(std::string(analysis::kThreadNameKey) + "0"), 0u)
        << "of threads that did nothing there are too many";
}

/// Their type had several numbers: 2020 wrote 1 for cudaDeviceSynchronize and 2 for cudaEventSynchronize,
/// 2026.1 2 for cudaStreamSynchronize, 2026.2 3 for that. What a record names does not lie.
TEST_F(Nsys, SynchronizationsAreKnownByWhatTheyName) {
    const Trace trace = read(sql(
        std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(") + kWork +
        ", syncType INT, eventId INT, eventSyncId INT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, correlationId INT, "
        "nameId INT);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(10,20,$TID,1,3),(20,30,$TID,2,3),(30,40,$TID,3,3),"
        "(40,50,$TID,4,3);" +
        kernelTable() +
        "INSERT INTO "
        "CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,correlationId,globalPid) "
        "VALUES(1,2,0,1,7,9,$PID);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES"
        "(11,19,0,1,4294967295,1,$PID, 1, 4294967295,4294967295),(21,29,0,1,4294967295,2,$PID, 2, 28,5),"
        "(31,39,0,1,7,3,$PID, 2, 4294967295,0),(41,49,0,1,7,4,$PID, 2, 28,5)"));
    const auto syncs = activitiesOf(trace, Sync);
    ASSERT_EQ(syncs.size(), 4u);
    const char* names[] = {"context synchronize", "event synchronize", "stream synchronize",
                           "stream wait event"};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(trace.text(syncs[i].name), names[i]);
        EXPECT_EQ(trace.queue(syncs[i].queue).number, kThread) << "that of the call";
    }
    ASSERT_EQ(trace.streamCalls().size(), 4u);
    EXPECT_EQ(trace.streamCalls()[3].kind, StreamCallKind::StreamWait);
    EXPECT_EQ(trace.streamCalls()[3].recording, 5u);
    EXPECT_NE(trace.streamCalls()[3].queue, kNoQueue);
}

TEST_F(Nsys, EventsThatWereRecordedAreTiedToWaits) {
    const Trace trace =
        read(sql(kernelTable() +
                 "INSERT INTO "
                 "CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,correlationId,globalPid) "
                 "VALUES(1,2,0,1,7,9,$PID);"
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(timestamp INT, deviceId INT, contextId INT, "
                 "streamId INT, "
                 "correlationId INT, globalPid INT, eventId INT, eventSyncId INT);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES(0,0,1,13,5,$PID,28,77)"));
    ASSERT_EQ(trace.streamCalls().size(), 1u);
    EXPECT_EQ(trace.streamCalls()[0].kind, StreamCallKind::EventRecord);
    EXPECT_EQ(trace.streamCalls()[0].recording, 77u);
    ASSERT_NE(trace.streamCalls()[0].queue, kNoQueue);
    EXPECT_EQ(trace.queue(trace.streamCalls()[0].queue).number, 13u) << "a stream without work";
}

TEST_F(Nsys, RangesMarksAndDomains) {
    const Trace trace = read(sql(
        "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, textId INT, globalTid INT, "
        "domainId INT);"
        "INSERT INTO NVTX_EVENTS VALUES(1,NULL,75,'NCCL',NULL,$TID,2),"
        "(10,20,59,'own text',NULL,$TID,0),(30,40,60,NULL,5,$TID,0),(50,NULL,34,'mark',NULL,$TID,0),"
        "(60,70,59,'allReduce',NULL,$TID,2),(80,90,59,NULL,5,$TID,2),(91,NULL,59,'open',NULL,$TID,0),"
        "(92,NULL,39,'a thread''s name',NULL,$TID,0)"));
    const auto ranges = activitiesOf(trace, Nvtx);
    ASSERT_EQ(ranges.size(), 5u);
    const char* texts[] = {"own text", "step", "mark", "NCCL:allReduce", "NCCL:step"};
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(trace.text(ranges[i].name), texts[i]);
    EXPECT_EQ(ranges[2].time(), (Interval{50, 50}));
    EXPECT_EQ(trace.queue(ranges[0].queue).number, kThread);
    ASSERT_NE(defectOf(trace, DefectCode::OpenRange), nullptr);
    EXPECT_EQ(trace.counts(), (RecordCounts{6, 5, 1}));
}

TEST_F(Nsys, StreamsContextsAndDevices) {
    const Trace trace =
        read(sql(kernelTable() +
                 "INSERT INTO "
                 "CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,correlationId,globalPid) "
                 "VALUES(1,2,0,1,7,9,$PID),(3,4,0,1,13,10,$PID),(5,6,0,1,14,11,$PID);"
                 "CREATE TABLE TARGET_INFO_CUDA_STREAM(streamId INT, hwId INT, vmId INT, processId INT, "
                 "contextId INT, "
                 "priority INT, flag INT);"
                 "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES(13,0,1,300,1,4294967291,2),(14,0,1,300,1,0,1);"
                 "CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM(streamId INT, hwId INT, vmId INT, processId INT, "
                 "deviceId INT, "
                 "contextId INT);"
                 "INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES(7,0,1,300,0,1);"
                 "CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT, uuid TEXT, smCount INT, cuDevice INT, "
                 "totalMemory INT, "
                 "asyncEngines INT, computeMajor INT, computeMinor INT);"
                 "INSERT INTO TARGET_INFO_GPU VALUES(3,'NVIDIA "
                 "A100','89fc71ab-222c-1b36-ab6e-8179d4251ea5',108,0,4096,3,8,0),"
                 "(0,'another','11fc71ab-222c-1b36-ab6e-8179d4251ea5',10,1,4096,3,8,0)"));
    const auto queue = [&](ActivityIndex i) { return trace.queue(trace.queueOf(i)); };
    EXPECT_EQ(queue(0).streamKind, StreamKind::Null);
    EXPECT_EQ(queue(1).streamKind, StreamKind::NonBlocking);
    EXPECT_EQ(queue(1).priority, -5);
    EXPECT_EQ(queue(2).streamKind, StreamKind::Blocking);
    ASSERT_EQ(trace.devices().size(), 1u) << "the other GPU had no part in it";
    EXPECT_EQ(trace.devices()[0].name, "NVIDIA A100");
    EXPECT_EQ(trace.devices()[0].uuid, "GPU-89fc71ab-222c-1b36-ab6e-8179d4251ea5");
    EXPECT_EQ(trace.devices()[0].smCount, 108u);
}

/// Each sees one GPU, and calls it 0 (CUDA_VISIBLE_DEVICES): the file knows which is which.
TEST_F(Nsys, TwoProcessesMayCallDifferentDevicesTheSame) {
    const Trace trace = read(
        sql(kernelTable() +
            "INSERT INTO "
            "CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,correlationId,globalPid) "
            "VALUES(1,2,0,1,7,9,$PID),(1,4,0,1,7,9,$PID+16777216);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, correlationId INT, "
            "nameId INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(0,1,$TID,9,3),(-5,1,$TID+16777216,9,3);"
            "CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT, uuid TEXT);"
            "INSERT INTO TARGET_INFO_GPU VALUES(4,'A','aafc71ab-222c-1b36-ab6e-8179d4251ea5'),"
            "(5,'B','bbfc71ab-222c-1b36-ab6e-8179d4251ea5');"
            "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INT, cudaId INT, pid INT, numMultiprocessors INT);"
            "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES(4,0,300,10),(5,0,301,20);"
            "CREATE TABLE PROCESSES(globalPid INT, pid INT, name TEXT); INSERT INTO PROCESSES "
            "VALUES($PID,300,'./a')"));
    ASSERT_EQ(trace.devices().size(), 2u);
    EXPECT_EQ(trace.devices()[0].name, "A");
    EXPECT_EQ(trace.devices()[1].name, "B");
    EXPECT_EQ(trace.devices()[1].smCount, 20u);
    ASSERT_EQ(trace.processes().size(), 2u);
    EXPECT_EQ(trace.processes()[0].name, "./a");
    const auto kernels = activitiesOf(trace, Kernel);
    EXPECT_NE(kernels[0].correlation, kernels[1].correlation) << "numbers of a process alone";
    EXPECT_EQ(trace.processText(trace.queue(kernels[1].queue)), " of process 301");
}

TEST_F(Nsys, WhatTheToolDidBesideIsOverhead) {
    const Trace trace = read(
        sql("CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD(start INT, end INT, globalTid INT, correlationId INT, "
            "nameId INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES(1,2,$TID,3,2);"
            "CREATE TABLE PROFILER_OVERHEAD(start INT, end INT, globalTid INT, nameId INT, returnValue INT);"
            "INSERT INTO PROFILER_OVERHEAD VALUES(3,4,$TID,2,1)"));
    const auto overhead = activitiesOf(trace, Overhead);
    ASSERT_EQ(overhead.size(), 2u);
    EXPECT_EQ(trace.text(overhead[0].name), "add");
    EXPECT_EQ(overhead[1].flags, 0);
}

TEST_F(Nsys, WholeGraphsAreNoKernelsAndLeaveVerdictsOpen) {
    const Trace trace =
        read(sql(std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(") + kWork +
                 ", graphId INT); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(1,50,0,1,7,1,$PID,3),"
                 "(60,90,0,1,7,2,$PID,3)"));
    EXPECT_TRUE(trace.empty());
    const Defect* defect = defectOf(trace, DefectCode::GraphsAsOne);
    ASSERT_NE(defect, nullptr);
    EXPECT_EQ(defect->count, 2u);
    EXPECT_EQ(defect->classes, kDeviceClasses);
    EXPECT_EQ(defect->severity(), Severity::DataLoss);
    EXPECT_THAT(defect->text(), HasSubstr("--cuda-graph-trace=node"));
}

TEST_F(Nsys, TablesOfALaterVersionAreFoundByTheirName) {
    const Trace trace = read(sql("CREATE TABLE NVTX_EVENTS_V2(start INT, end INT, eventType INT, text TEXT);"
                                 "INSERT INTO NVTX_EVENTS_V2 VALUES(1,2,59,'r')"));
    EXPECT_EQ(activitiesOf(trace, Nvtx).size(), 1u);
}

TEST_F(Nsys, WhatIsNotReadIsNamed) {
    const Trace trace =
        read(sql("CREATE TABLE OSRT_API(start INT, end INT); INSERT INTO OSRT_API VALUES(1,2);"
                 "CREATE TABLE SCHED_EVENTS(start INT)"));
    ASSERT_NE(defectOf(trace, DefectCode::UnknownKind), nullptr);
    EXPECT_THAT(defectOf(trace, DefectCode::UnknownKind)->text(), HasSubstr("OSRT_API"));
    EXPECT_THAT(defectOf(trace, DefectCode::UnknownKind)->text(), testing::Not(HasSubstr("SCHED_EVENTS")));
}

TEST_F(Nsys, TimesStayAsTheFileHasThemAndTheWallClockIsTold) {
    const Trace trace =
        read(sql("CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INT);"
                 "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1779630014975716426);" +
                 kernelTable() +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId) VALUES(100,200,0,7)"));
    EXPECT_EQ(trace[0].begin, 100);
    EXPECT_EQ(trace.provenance().recordedAt, "2026-05-24T13:40:14Z");
    EXPECT_EQ(trace.environment().at("import.base_time_ns"), "1779630014975716426");
}

TEST_F(Nsys, TheDriverIsReadAsPeopleWriteIt) {
    const std::string table =
        "CREATE TABLE TARGET_INFO_SYSTEM_ENV(name TEXT, value TEXT);"
        "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES('CpuDescription','unknown'),('NvDriverVersion',";
    EXPECT_EQ(read(sql(table + "'52510517')")).environment().at("driver"), "525.105.17");
    const Trace newer = read(sql(table + "'580.95.05')"));
    EXPECT_EQ(newer.environment().at("driver"), "580.95.05");
    EXPECT_FALSE(newer.environment().contains("cpu"));
}

/// Enough for several threads: what comes out is what one would read.
TEST_F(Nsys, ManyRowsComeInTheirOrder) {
    constexpr int kRows = 300'000;
    const std::string rows = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<" +
                             std::to_string(kRows - 1) + ") ";
    const Trace trace =
        read(sql(kernelTable() +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,contextId,streamId,"
                 "correlationId,globalPid,shortName) " +
                 rows + "SELECT 10*i, 10*i+7, i%2, 1, 7+i%5, i+1, $PID+16777216*(i%3), 1+i%2 FROM n"));
    ASSERT_EQ(trace.size(), std::size_t{kRows});
    EXPECT_EQ(trace.counts().kept, std::uint64_t{kRows});
    for (ActivityIndex i = 0; i < kRows; i += 997) {
        EXPECT_EQ(trace.time(i), (Interval{10 * Ns{i}, 10 * Ns{i} + 7}));
        EXPECT_EQ(trace.queue(trace.queueOf(i)).number, 7 + i % 5);
        EXPECT_EQ(trace.text(trace.nameOf(i)), i % 2 == 0 ? "void ns::add<float>(float*)" : "add");
    }
    EXPECT_EQ(io::readRecording(path("a.sqlite")).trace, trace);
    std::stop_source stop;
    RunControl control{stop.get_token(), [&](double share, std::string_view) {
                           if (share > 0.3)
                               stop.request_stop();
                       }};
    try {
        io::readRecording(path("a.sqlite"), control);
        ADD_FAILURE() << "it was to be cancelled";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "cancelled");
    }
}

TEST_F(Nsys, PackedExportsAreReadToo) {
    makeDatabase(path("a.sqlite"),
                 sql(kernelTable() +
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId) VALUES(1,2,0,7)"));
    ASSERT_EQ(std::system(("gzip -k '" + path("a.sqlite").string() + "'").c_str()), 0);
    EXPECT_EQ(io::readRecording(path("a.sqlite.gz")).trace, io::readRecording(path("a.sqlite")).trace);
    fs::create_symlink(path("a.sqlite"), path("link with ? and #"));
    EXPECT_EQ(io::readRecording(path("link with ? and #")).trace.size(), 1u);
}

} // namespace
