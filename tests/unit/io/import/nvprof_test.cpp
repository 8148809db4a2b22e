// nvprof's databases and its printed GPU trace.
#include "made_database.h"

using namespace olab;
using namespace olab::test;
using testing::AllOf;
using testing::HasSubstr;
using enum ActivityClass;

namespace {

class Nvprof : public Imports {
protected:
    Trace readText(const std::string& text) const {
        return std::move(io::readRecording(put("a.csv", text)).trace);
    }
};

constexpr const char* kWork =
    "_id_ INTEGER PRIMARY KEY AUTOINCREMENT, start INT, end INT, deviceId INT, contextId INT, "
    "streamId INT, correlationId INT";
constexpr const char* kStrings =
    "CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT);"
    "INSERT INTO StringTable VALUES(1,'_Z3addPf'),(2,'Tesla V100'),(3,'a range'),(4,'a mark');"
    "CREATE TABLE Version(version INT); INSERT INTO Version VALUES(11);";
constexpr Ns kStart = 1'736'038'959'480'905'752; // beyond what a double holds

TEST_F(Nvprof, WorkOfADatabase) {
    const std::string start = std::to_string(kStart);
    const Trace trace = read(
        kStrings + std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(") + kWork +
        ", name INT, registersPerThread INT, staticSharedMemory INT, dynamicSharedMemory INT, gridX INT, "
        "gridY INT, "
        "gridZ INT, blockX INT, blockY INT, blockZ INT);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES(1," +
        start + "," + start +
        "+5,0,1,13,2,1,16,8,4,10,1,1,256,1,1);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(" +
        kWork +
        ", bytes INT, copyKind INT, srcKind INT, dstKind INT, flags INT);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(1," +
        start + "+1," + start +
        "+3,0,1,14,3,4096,1,2,3,1);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY2(" +
        kWork +
        ", bytes INT, copyKind INT);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY2 VALUES(1," +
        start + "+7," + start +
        "+8,0,1,14,4,64,8);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(" +
        kWork +
        ", bytes INT, memoryKind INT);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(1," +
        start + "+9," + start +
        "+10,0,1,14,5,32,3);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(_id_ INTEGER PRIMARY KEY, start INT, end INT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER(_id_ INTEGER PRIMARY KEY, counterKind INT, "
        "value INT, "
        "start INT, end INT); INSERT INTO CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER VALUES(1,1,4096,5,6)");
    ASSERT_EQ(trace.size(), 4u);
    EXPECT_EQ(trace[0].time(), (Interval{kStart, kStart + 5}));
    EXPECT_EQ(trace.text(trace[0].name), "_Z3addPf");
    EXPECT_EQ(*trace.geometry(0), (KernelGeometry{{10, 1, 1}, {256, 1, 1}, 16, 8, 4}));
    EXPECT_EQ(trace[1].cls, MemcpyH2D);
    EXPECT_EQ(trace[1].source, MemoryKind::Pinned) << "CUPTI's own numbers, not Nsight's";
    EXPECT_EQ(trace[1].target, MemoryKind::Device);
    EXPECT_EQ(trace[1].flags, kFlagAsync);
    EXPECT_EQ(trace[2].cls, MemcpyP2P);
    EXPECT_EQ(trace[3].cls, Memset);
    EXPECT_EQ(trace.counts(), (RecordCounts{5, 4, 1})) << "counters of unified memory are no copies";
    EXPECT_EQ(trace.provenance().tool, "NVIDIA nvprof");
    EXPECT_EQ(trace.provenance().recordedAt, "2025-01-05T01:02:39Z");
}

TEST_F(Nvprof, NumbersThatAreNoneAreNotGuessed) {
    const std::string table = std::string("cupti_activity_kind_memcpy(") + kWork +
                              ", bytes INT, copyKind INT, srcKind INT, dstKind INT, flags INT)";
    for (const char* change :
         {"bytes=NULL", "copyKind='x'", "deviceId=1.5", "streamId=x'00'", "flags='1x'"}) {
        const Trace trace = read(kStrings + ("CREATE TABLE " + table) +
                                 ";INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(1,1,2,0,1,7,1,64,1,2,3,1),"
                                 "(2,3,4,0,1,7,2,64,1,2,3,1); UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET " +
                                 change + " WHERE _id_=2");
        EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1})) << change;
        const Defect* defect = defectOf(trace, DefectCode::BadRecord);
        ASSERT_NE(defect, nullptr) << change;
        EXPECT_NE(defect->classes & maskOf(MemcpyH2D), 0u) << "of any kind";
    }
    const Trace calls =
        read(kStrings +
             std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_ INTEGER PRIMARY KEY, cbid INT, "
                         "start INT, end INT, processId INT, threadId INT, correlationId INT, "
                         "returnValue INT);INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
                         "(1,41,10,20,4711,77,1,0),(2,'x',20,30,4711,77,2,1),(3,41,30,40,4711,77,1.5,0)"));
    EXPECT_EQ(calls.counts(), (RecordCounts{3, 1, 2}));
}

TEST_F(Nvprof, HostSideOfADatabase) {
    const Trace trace = read(
        kStrings +
        std::string(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end "
            "INT, "
            "processId INT, threadId INT, correlationId INT, returnValue INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME "
            "VALUES(1,41,10,20,4711,77,1,0),(2,9999,20,30,4711,77,2,1);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER(_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, "
            "processId INT, threadId INT, correlationId INT, returnValue INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_DRIVER VALUES(1,307,40,50,4711,-1000,3,0);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER(_id_ INTEGER PRIMARY KEY, flags INT, timestamp INT, id "
            "INT, "
            "objectKind INT, objectId BLOB, name INT, domain INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES(1,2,60,5,2,x'671200004d00000000000000',3,0),"
            "(2,4,70,5,2,x'671200004d00000000000000',0,0),(3,1,65,6,2,x'671200004d00000000000000',4,0),"
            "(4,2,80,7,2,x'67',3,0),(5,4,90,8,2,x'',0,0);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD(_id_ INTEGER PRIMARY KEY, overheadKind INT, "
            "objectKind INT, "
            "objectId BLOB, start INT, end INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES(1,65536,2,x'671200004d00000000000000',1,2);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(_id_ INTEGER PRIMARY KEY, type INT, start INT, "
            "end "
            "INT, correlationId INT, contextId INT, streamId INT, cudaEventId INT);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES(1,3,11,19,1,1,7,-1)"));
    const auto calls = activitiesOf(trace, ActivityClass::Api);
    ASSERT_EQ(calls.size(), 3u);
    EXPECT_EQ(trace.text(calls[0].name), "cudaMemcpyAsync");
    EXPECT_EQ(trace.text(calls[1].name), "runtime API 9999");
    EXPECT_EQ(calls[1].flags, kFlagFailed);
    EXPECT_EQ(trace.text(calls[2].name), "cuLaunchKernel");
    EXPECT_EQ(trace.queue(calls[0].queue).number, 77u);
    const auto ranges = activitiesOf(trace, Nvtx);
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(ranges[0].time(), (Interval{60, 70}));
    EXPECT_EQ(trace.text(ranges[0].name), "a range");
    EXPECT_EQ(trace.queue(ranges[0].queue).number, 77u);
    EXPECT_EQ(trace.text(ranges[1].name), "a mark");
    EXPECT_EQ(defectOf(trace, DefectCode::OpenRange)->count, 2u);
    EXPECT_EQ(trace.text(activitiesOf(trace, Overhead).at(0).name), "CUPTI buffer flush");
    EXPECT_EQ(trace.text(activitiesOf(trace, Sync).at(0).name), "stream synchronize");
    EXPECT_EQ(trace.processes()[0].pid, 4711u);
}

TEST_F(Nvprof, DevicesAndStreamsOfADatabase) {
    const Trace trace =
        read(kStrings + std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(") + kWork +
             ", copyKind INT); INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY "
             "VALUES(1,10,20,0,1,13,1,1),(2,20,30,0,1,7,2,1);"
             "CREATE TABLE CUPTI_ACTIVITY_KIND_DEVICE(_id_ INTEGER PRIMARY KEY, id INT, name INT, uuid BLOB, "
             "numMultiprocessors INT);"
             "INSERT INTO CUPTI_ACTIVITY_KIND_DEVICE VALUES(1,0,2,x'000102030405060708090a0b0c0d0e0f',80);"
             "CREATE TABLE CUPTI_ACTIVITY_KIND_CONTEXT(_id_ INTEGER PRIMARY KEY, contextId INT, deviceId "
             "INT, nullStreamId INT);"
             "INSERT INTO CUPTI_ACTIVITY_KIND_CONTEXT VALUES(1,1,0,7);"
             "CREATE TABLE CUPTI_ACTIVITY_KIND_STREAM(_id_ INTEGER PRIMARY KEY, contextId INT, streamId INT, "
             "priority INT, flag "
             "INT); INSERT INTO CUPTI_ACTIVITY_KIND_STREAM VALUES(1,1,13,4294967295,2)");
    EXPECT_EQ(trace.devices()[0].name, "Tesla V100");
    EXPECT_EQ(trace.devices()[0].uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");
    EXPECT_EQ(trace.queue(trace[0].queue).streamKind, StreamKind::NonBlocking);
    EXPECT_EQ(trace.queue(trace[0].queue).priority, -1);
    EXPECT_EQ(trace.queue(trace[1].queue).streamKind, StreamKind::Null);
}

constexpr const char* kHeader =
    "==12== NVPROF is profiling process 12, command: ./mm -a\n==12== Profiling result:\n"
    R"("Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem",)"
    R"("Dynamic SMem","Size","Throughput","SrcMemType","DstMemType","Device","Context","Stream","Name","Correlation_ID")"
    "\nms,us,,,,,,,,KB,B,MB,GB/s,,,,,,,\n";

TEST_F(Nvprof, PrintedTracesWithTheirUnits) {
    const Trace trace = readText(
        std::string(kHeader) +
        "510.420849,609.828,,,,,,,,,,3.515625,5.6,\"Pageable\",\"Device\",\"GTX 950 "
        "(1)\",\"1\",\"13\",\"[CUDA memcpy HtoD]\",5\n"
        "==12== Warning: 3 records have invalid timestamps due to insufficient device buffer space.\n"
        "511.654138,1,30,20,1,32,16,1,28,8.000000,16,,,,,\"GTX 950 (1)\",\"1\",\"13\",\"void "
        "mm<int=32>(float*, int)\",6\r\n"
        "512,0.0005,,,,,,,,,,4.0,1,,\"Device\",\"GTX 950 (1)\",\"1\",\"13\",\"[CUDA memset]\",7\n"
        "513,1,,,,,,,,,,4.0,1,,,\"GTX 950 (1)\",\"1\",\"13\",\"[Unified Memory Memcpy HtoD]\",8\n"
        "514,1,,,,,,,,,,,,,,,,,\"cudaMalloc\",9\n");
    ASSERT_EQ(trace.size(), 4u);
    EXPECT_EQ(trace[0].cls, MemcpyH2D);
    EXPECT_EQ(trace[0].time(), (Interval{510'420'849, 511'030'677}));
    EXPECT_EQ(trace[0].bytes, 3'686'400);
    EXPECT_EQ(trace[0].source, MemoryKind::Pageable);
    EXPECT_EQ(trace[0].correlation, 5u);
    EXPECT_EQ(trace[1].cls, Kernel);
    EXPECT_EQ(trace.text(trace[1].name), "void mm<int=32>(float*, int)");
    EXPECT_EQ(*trace.geometry(1), (KernelGeometry{{30, 20, 1}, {32, 16, 1}, 28, 8192, 16}));
    EXPECT_EQ(trace[2].cls, Memset);
    EXPECT_EQ(trace[2].time(), (Interval{512'000'000, 512'000'000})) << "half a nanosecond: to the even one";
    EXPECT_EQ(trace[3].cls, ActivityClass::Api) << "what has no device is a call";
    EXPECT_EQ(trace.devices()[0].device, 1u);
    EXPECT_EQ(trace.devices()[0].name, "GTX 950");
    EXPECT_EQ(trace.counts(), (RecordCounts{5, 4, 1}));
    ASSERT_NE(defectOf(trace, DefectCode::DroppedRecords), nullptr);
    EXPECT_EQ(defectOf(trace, DefectCode::DroppedRecords)->count, 3u);
    EXPECT_EQ(trace.processes()[0].pid, 12u);
    EXPECT_EQ(trace.processes()[0].name, "./mm -a");
}

TEST_F(Nvprof, OldPrintedTracesHaveTheCorrelationInTheName) {
    const Trace trace =
        readText("\"Start\",\"Duration\",\"Device\",\"Context\",\"Stream\",\"Name\"\ns,ns,,,,\n"
                 "1.5,7,\"X (0)\",\"1\",\"7\",\"k(int, float [4]) [223]\"\n");
    ASSERT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace.text(trace[0].name), "k(int, float [4])");
    EXPECT_EQ(trace[0].correlation, 223u);
    EXPECT_EQ(trace[0].time(), (Interval{1'500'000'000, 1'500'000'007}));
}

TEST_F(Nvprof, DamagedLinesAreCounted) {
    const Trace trace =
        readText("\xef\xbb\xbf\"Start\",\"Duration\",\"Device\",\"Context\",\"Stream\",\"Name\"\nms,ms,,,,\n"
                 "N/A,1,\"X (0)\",1,7,\"k\"\n1,nan,\"X (0)\",1,7,\"k\"\n1e400,1,\"X (0)\",1,7,\"k\"\n"
                 "5,-1,\"X (0)\",1,7,\"k\"\n0,0,\"X (0)\",1,7,\"k\"\n1,1,\"X (0\n\n"
                 "7,1,\"X (0)\",\"(null)\",7,\"k\"\n99999999999999999999,1,\"X (0)\",1,7,\"k\"\n");
    EXPECT_EQ(trace.counts(), (RecordCounts{8, 1, 7}));
    EXPECT_EQ(defectOf(trace, DefectCode::EndBeforeStart)->count, 1u);
    EXPECT_EQ(defectOf(trace, DefectCode::NoTimestamp)->count, 1u);
    const std::string noUnits = "\"Start\",\"Duration\",\"Device\",\"Context\",\"Stream\",\"Name\"\n"
                                "1,1,\"X (0)\",1,7,\"k\"\n2,1,\"X (0)\",1,7,\"k\"\n";
    EXPECT_THAT(refusalOf(put("units.csv", noUnits)),
                AllOf(HasSubstr("none of its 2 records can be used"),
                      HasSubstr("2 x times without their unit"), HasSubstr("record it again")))
        << "times without a unit mean nothing";
}

/// A header, the line of units and `count` kernels of one microsecond.
std::string printedKernels(int count) {
    std::string text = "\"Start\",\"Duration\",\"Device\",\"Context\",\"Stream\",\"Name\"\nus,us,,,,\n";
    for (int i = 1; i <= count; ++i)
        text += std::to_string(100 + 2 * i) +
                ",1.000,\"GeForce GTX 950 (0)\",\"1\",\"13\",\"void vectorAdd<float, int>(float "
                "const*, float const*, float*, int, int, bool, double) kernel " +
                std::to_string(i) + "\"\n";
    return text;
}

void expectLoss(const Trace& trace, DefectCode code, const std::string& what) {
    const Defect* defect = defectOf(trace, code);
    ASSERT_NE(defect, nullptr);
    EXPECT_EQ(defect->severity(), Severity::DataLoss);
    EXPECT_EQ(defect->classes, kAllClasses);
    EXPECT_THAT(defect->text(), HasSubstr(what));
}

TEST_F(Nvprof, TextThatWasCutOffInANameIsSaid) {
    const std::string text = printedKernels(64);
    const Trace trace = readText(text.substr(0, text.find("kernel 41") - 5));
    EXPECT_EQ(trace.counts(), (RecordCounts{41, 40, 1}));
    expectLoss(trace, DefectCode::BadRecord, "inside of quotes");
    expectLoss(trace, DefectCode::TruncatedFile, "its last line is truncated");
}

TEST_F(Nvprof, TextWhoseLastLineHasNoEndIsSaid) {
    const std::string text = printedKernels(3);
    const Trace trace = readText(text.substr(0, text.size() - 1));
    EXPECT_EQ(trace.counts(), (RecordCounts{3, 3, 0}));
    expectLoss(trace, DefectCode::TruncatedFile, "its last line is truncated");
    EXPECT_TRUE(readText(text).defects().empty());
}

TEST_F(Nvprof, TextWithAHoleIsSaid) {
    std::string text = printedKernels(64);
    std::fill_n(text.begin() + 1000, 4096, '\0');
    const Trace trace = readText(text);
    EXPECT_LT(trace.size(), 45u);
    EXPECT_EQ(trace.counts().read, trace.counts().kept + 1);
    expectLoss(trace, DefectCode::BadRecord, "zero bytes");
}

TEST_F(Nvprof, TwoLinesThatBecameOneAreSaid) {
    std::string text = printedKernels(3);
    text.erase(text.find("kernel 1\"\n") + 9, 1); // the end of its line
    const Trace trace = readText(text);
    EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1}));
    expectLoss(trace, DefectCode::BadRecord, "more fields than the table has columns");
}

/// What kind of work a row is shows in which of its fields are written.
TEST_F(Nvprof, RowsOfAnUnclearKindAreRefused) {
    const std::string copy = "1,1,,,,,,,,,,4.0,1,,,\"X (0)\",\"1\",\"7\",\"[CUDA memcpy HtoD]\",1\n",
                      kernel = "2,1,30,20,1,32,16,1,28,8.0,16,,,,,\"X (0)\",\"1\",\"7\",\"k(int)\",2\n";
    const std::string whole = std::string(kHeader) + copy + kernel;
    EXPECT_TRUE(readText(whole).defects().empty());
    for (const char* part : {"Device\",\"Context", "Context", "Stream", "Name", "Grid X", "Block Z", "Size",
                             "MB,", "X (0)\",\"1\",\"7\",\"k", "20,1,32", "4.0,1"}) {
        std::string damaged = whole;
        const std::size_t at = damaged.find(part);
        ASSERT_NE(at, damaged.npos) << part;
        if (std::string_view(part).starts_with("X (0)"))
            damaged.erase(at, 5);
        else
            damaged[at] ^= 0x40;
        try {
            expectLoss(readText(damaged), DefectCode::BadRecord, "");
        } catch (const Error& e) { // where it is the head, no row is left
            EXPECT_THAT(e.what(), HasSubstr("none of its 2 records can be used")) << part;
        }
    }
}

TEST_F(Nvprof, ALineWithANameOfSeventeenMegabytesIsSaid) {
    std::string text = printedKernels(2);
    text.insert(text.find("kernel 1"), std::string(17 << 20, 'x'));
    const Trace trace = readText(text);
    EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1}));
    expectLoss(trace, DefectCode::BadRecord, "longer than any that a trace has");
}

TEST_F(Nvprof, TextWithoutATraceIsRefused) {
    EXPECT_THAT(
        refusalOf(put("a", "==3== NVPROF is profiling process 3, command: ./a\n==3== Profiling result:\n")),
        HasSubstr("--print-gpu-trace --csv"));
}

} // namespace
