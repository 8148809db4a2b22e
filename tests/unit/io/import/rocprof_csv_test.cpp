// Tables of rocprofv3 as text, Chrome traces of rocprof 1, and tables of nsys stats: what
// tests/golden/rocm_test.py does not make.
#include "made_database.h"

using namespace olab;
using namespace olab::test;
using testing::AllOf;
using testing::HasSubstr;
using enum ActivityClass;

namespace {

class RocprofCsv : public Imports {
protected:
    Trace readFile(const std::string& name) const { return std::move(io::readRecording(path(name)).trace); }
};

// As in AMD's documentation of ROCm 6.2: agents are numbers, and streams are not told.
constexpr const char* kOldKernels =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","
    "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"Private_Segment_Size\",\"Group_Segment_"
    "Size\","
    "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\","
    "\"Grid_Size_Z\"\n"
    "\"KERNEL_DISPATCH\",1,2,69,1,16,\"void add<float>(float*, float const*)\",1451,8819330200067564,"
    "8819330200116308,0,512,64,1,1,1000,1,1\n";

TEST_F(RocprofCsv, OfAnOlderVersionHasQueuesForStreams) {
    put("kernel_trace.csv", kOldKernels);
    put("memory_copy_trace.csv",
        "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\",\"Start_"
        "Timestamp\",\"End_Timestamp\"\n\"MEMORY_COPY\",\"HOST_TO_DEVICE\",0,1,0,14955949675563,"
        "14955950239443\n\"MEMORY_COPY\",\"HOST_TO_HOST\",0,0,0,14955949675563,14955950239443\n");
    const Trace trace = readFile("kernel_trace.csv");
    EXPECT_EQ(trace.counts(), (RecordCounts{3, 2, 1}));
    const auto kernels = activitiesOf(trace, Kernel);
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].time(), (Interval{8'819'330'200'067'564, 8'819'330'200'116'308}));
    EXPECT_EQ(trace.queue(kernels[0].queue).number, 2u);
    EXPECT_EQ(activitiesOf(trace, MemcpyH2D).size(), 1u);
    EXPECT_THAT(defectOf(trace, DefectCode::RecorderWarning)->text(), HasSubstr("does not tell streams"));
}

TEST_F(RocprofCsv, RowsThatAreNoneAreRefused) {
    const std::string good = "\"D\",\"f\",9,9,1,10,20\n";
    for (const char* bad :
         {"\"D\",\"f\",9,9,1,x,20\n", "\"D\",\"f\",9,9,1,10\n", "\"D\",\"f\",9,9,1,10,20,30\n",
          "\"D\",\"f\",9,9,,10,20\n", "\"D\",\"f,9,9,1,10,20\n", "\"D\",\"f\",8,9,1,10,20\n",
          "\"D\",\"f\",9,9,1,30,20\n"}) {
        put("a_hip_api_trace.csv",
            "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_"
            "Timestamp\",\"End_Timestamp\"\n" +
                good + bad + good);
        EXPECT_EQ(readFile("a_hip_api_trace.csv").counts(), (RecordCounts{3, 2, 1})) << bad;
    }
}

TEST_F(RocprofCsv, SaysWhatIsNotATrace) {
    EXPECT_THAT(refusalOf(put("kernel_trace.csv", "\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n")),
                AllOf(HasSubstr("it lacks the columns Agent_Id, Correlation_Id"), HasSubstr("--sys-trace")));
    EXPECT_THAT(refusalOf(put("counters.csv", "\"Counter_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n")),
                HasSubstr("a table of counters"));
    put("a_kernel_trace.csv", kOldKernels);
    put("a_agent_info.csv", "\"Node_Id\",\"Logical_Node_Id\"\n");
    EXPECT_THAT(defectOf(readFile("a_kernel_trace.csv"), DefectCode::DamagedChunk)->text(),
                HasSubstr("a_agent_info.csv: it lacks the columns Agent_Type"));
    put("a_agent_info.csv", "\"Node_Id\",\"Agent_Type\"\n0,\"CPU\"\n3,\"GPU\"\n");
    EXPECT_THAT(refusalOf(path("a_kernel_trace.csv")), HasSubstr("an agent that is no GPU"));
}

constexpr const char* kProcesses =
    R"({"traceEvents":[{},{"ph":"M","name":"process_name","pid":1,"args":{"name":"COPY"}},
    {"ph":"M","name":"process_name","pid":6,"args":{"name":"GPU0"}},)";
std::string eventOf(int pid, const char* name, const char* args) {
    return R"({"ph":"X","pid":)" + std::to_string(pid) + R"(,"tid":1,"ts":"5","dur":"1","name":")" + name +
           R"(","args":{)" + args + "}}";
}

TEST_F(RocprofCsv, ChromeTracesHaveWholeNanosecondsInTheirArguments) {
    put("a.json",
        kProcesses +
            eventOf(6, "k", R"("BeginNs":"1000000005","EndNs":"1000000999","dev-id":"0","stream-id":"3")") +
            "," +
            eventOf(1, "FillBuffer",
                    R"("BeginNs":"7","EndNs":"9","dev-id":"0","stream-id":"94702345678912")") +
            "," + eventOf(6, "<barrier packet>", R"("BeginNs":"7","EndNs":"9","dev-id":"0")") + "," +
            eventOf(6, "cut", R"("EndNs":"9")") + "," +
            eventOf(1, "async-copy", R"("BeginNs":"7","EndNs":"9")") + "," +
            eventOf(9, "lost", R"("BeginNs":"7","EndNs":"9")") + "]}");
    const Trace trace = readFile("a.json");
    EXPECT_EQ(trace.counts(), (RecordCounts{6, 2, 4}));
    EXPECT_EQ(trace.provenance().tool, "AMD rocprof");
    EXPECT_EQ(activitiesOf(trace, Kernel).at(0).time(), (Interval{1'000'000'005, 1'000'000'999}));
    EXPECT_EQ(trace.queue(activitiesOf(trace, Kernel)[0].queue).number, 3u);
    const auto fill = activitiesOf(trace, Memset).at(0);
    EXPECT_EQ(trace.queueText(trace.queue(fill.queue)), "stream 94702345678912");
    std::string reasons;
    for (const Defect& defect : trace.defects())
        reasons += defect.text() + "\n";
    for (const char* why : {"barriers of a queue", "without BeginNs and EndNs", "do not tell their GPU",
                            "a process without a name may be a GPU"})
        EXPECT_THAT(reasons, HasSubstr(why));
}

TEST_F(RocprofCsv, TablesOfNsysStatsHaveTheirUnitsInTheHeader) {
    const std::string header =
        "NOTICE: some words\nStart (us),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,"
        "Reg/Trd,Bytes (KiB),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n";
    put("r_cuda_gpu_trace.csv",
        header + "1.5,7,11,2,1,1,64,1,1,24,,,,NVIDIA A100 (1),1,7,\"void f<int, 3>(int)\"\n"
                 "2,5,13,,,,,,,,1.500,Pageable,Device,NVIDIA A100 (1),1,7,[CUDA memcpy Host-to-Device]\n"
                 "2,5,13,,,,,,,,x,Pageable,Device,NVIDIA A100 (1),1,7,[CUDA memcpy Host-to-Device]\n"
                 "3,5,14,2,1,1,64,1,,24,,,,NVIDIA A100 (1),1,7,f\n"
                 "4,5,14,2,1,1,64,1,1,24,,,,,1,7,f\n"
                 "y,5,14,2,1,1,64,1,1,24,,,,NVIDIA A100 (1),1,7,f\n"
                 "5,5,14,2,1,1,64");
    const Trace trace = readFile("r_cuda_gpu_trace.csv");
    EXPECT_EQ(trace.counts(), (RecordCounts{7, 2, 5}));
    EXPECT_EQ(trace.text(activitiesOf(trace, Kernel).at(0).name), "void f<int, 3>(int)");
    EXPECT_EQ(activitiesOf(trace, Kernel)[0].time(), (Interval{1500, 1507}));
    const Activity copy = activitiesOf(trace, MemcpyH2D).at(0);
    EXPECT_EQ(copy.bytes, 1536);
    EXPECT_EQ(copy.source, MemoryKind::Pageable);
    EXPECT_NE(defectOf(trace, DefectCode::TruncatedFile), nullptr);
    EXPECT_THAT(refusalOf(put("r_cuda_api_trace.csv", "Start (ns),Duration (ns),CorrID\n1,2,3\n")),
                AllOf(HasSubstr("it lacks the columns Name"), HasSubstr("cuda_gpu_trace,cuda_api_trace")));
}

} // namespace
