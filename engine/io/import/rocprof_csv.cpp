// The tables that rocprofv3 --output-format csv writes: kernels, copies, calls, markers and agents of a run,
// each in a file of its own. Whichever is opened, those beside it with the same begin of their names are read
// with it.
//
// The columns: rocprofiler-sdk, source/lib/output/generateCSV.cpp (ROCm 6.2 to 7); newer versions have more.
#include <olab/io/formats.h>

#include "csv_values.h"
#include "cuda_kinds.h"
#include "file_numbers.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace olab::io {
namespace {

using namespace imports;

constexpr std::string_view kFiles[] = {
    "agent_info.csv",          "kernel_trace.csv",      "memory_copy_trace.csv",  "hip_api_trace.csv",
    "hip_trace.csv",           "hip_runtime_trace.csv", "hip_compiler_trace.csv", "hsa_api_trace.csv",
    "hsa_trace.csv",           "rccl_api_trace.csv",    "marker_api_trace.csv",   "marker_trace.csv",
    "rocdecode_api_trace.csv", "rocjpeg_api_trace.csv"};
constexpr std::string_view kBegin = "Start_Timestamp", kEnd = "End_Timestamp";
constexpr std::string_view
    kAgentColumns[] = {"Node_Id", "Agent_Type"},
    kKernelColumns[] = {"Agent_Id", "Kernel_Name", "Correlation_Id", kBegin, kEnd},
    kCopyColumns[] = {"Direction", "Source_Agent_Id", "Destination_Agent_Id", "Correlation_Id", kBegin, kEnd},
    kCallColumns[] = {"Domain", "Function", "Thread_Id", "Correlation_Id", kBegin, kEnd};
constexpr ClassMask kHost = maskOf(ActivityClass::Api) | maskOf(ActivityClass::Nvtx);

class Run {
public:
    Run(RecordSink& records, const RunControl& control)
        : m_records(records)
        , m_control(control) {}

    /// @returns why it is not one of these tables; empty: it was read
    std::string read(Source& source) {
        CsvTable table(source);
        if (table.has("Node_Id"))
            return take(table, kAgentColumns, 0, &Run::agent);
        if (table.has("Counter_Name"))
            return "a table of counters, which are not read";
        if (table.has("Kernel_Name"))
            return take(table, kKernelColumns, maskOf(ActivityClass::Kernel), &Run::kernel);
        if (table.has("Direction"))
            return take(table, kCopyColumns, kCopyClasses, &Run::copy);
        if (table.has("Function"))
            return take(table, kCallColumns, kHost, &Run::call);
        return "it has not the columns of kernels, copies, calls or agents";
    }
    void finish() {
        for (const auto& [number, device] : m_devices)
            m_records.add(device);
        if (m_pid != kNoNumber)
            m_records.add(ProcessRecord{0, m_pid, 0, {}});
        if (m_hasNoStreams)
            m_records.addDefect(
                DefectCode::RecorderWarning, 1, kDeviceClasses,
                "rocprofv3 of this version does not tell streams: kernels are shown by their queue");
        if (m_hasNullStream)
            m_records.add(StreamRecord{kNoNumber, 0, StreamKind::Null});
        m_streams.tellStreams(m_records);
        m_records.add(ProvenanceRecord{SourceKind::Imported, "AMD rocprofv3", {}, {}});
    }

private:
    struct Agent {
        std::uint32_t node = 0, logical = kNoNumber, place = 0;
        DeviceRecord device{};
    };
    const Agent* find(std::uint32_t Agent::*member, std::uint32_t number) const {
        const auto at = std::ranges::find(m_agents, number, member);
        return at == m_agents.end() ? nullptr : &*at;
    }

    using Row = const char* (Run::*)(const CsvTable&);

    /// `row`: keeps a row, or says why not.
    std::string take(CsvTable& table, std::span<const std::string_view> columns, ClassMask classes, Row row) {
        if (std::string lacks = table.lacking(columns); !lacks.empty())
            return lacks;
        while (table.next(m_control))
            if (const char* why = (this->*row)(table))
                table.refuse(why, classes);
        table.finish(m_records, classes);
        return {};
    }

    const char* agent(const CsvTable& table) {
        const std::uint32_t node = table.number("Node_Id");
        if (node == kNoNumber)
            return "an agent without its number";
        if (table.text("Agent_Type") != "GPU")
            return nullptr;
        DeviceRecord device;
        device.device = static_cast<std::uint32_t>(m_agents.size()); // they are sorted by Node_Id
        device.name = table.text(table.text("Product_Name").empty() ? "Name" : "Product_Name");
        device.smCount = table.number("Cu_Count", 0),
        device.copyEngines = table.number("Num_Sdma_Engines", 0);
        device.maxThreadsPerSm = table.number("Max_Waves_Per_Cu", 0) * table.number("Wave_Front_Size", 0);
        m_agents.push_back({node, table.number("Logical_Node_Id"), device.device, device});
        return nullptr;
    }

    const char* kernel(const CsvTable& table) {
        ActivityRecord r;
        r.cls = ActivityClass::Kernel;
        if (!readTimes(table, r))
            return kNoTimes;
        if (!putOn(table.text("Agent_Id"), r))
            return kNoGpu;
        readStream(table, r);
        r.name = m_records.intern(table.text("Kernel_Name"));
        r.flags = kFlagAsync;
        r.channel = table.number("Queue_Id");
        r.channelType = r.channel == kNoNumber ? ChannelType::Unknown : ChannelType::Compute;
        readGeometry(table, r);
        m_records.add(r);
        return nullptr;
    }

    /// On the GPU that it reads from, else on the one it writes to.
    const char* copy(const CsvTable& table) {
        ActivityRecord r;
        const std::string_view direction = table.text("Direction"), from = table.text("Source_Agent_Id"),
                               to = table.text("Destination_Agent_Id");
        r.cls = copyClassOf(direction); // "MEMORY_COPY_HOST_TO_DEVICE", "HOST_TO_DEVICE"
        if (r.cls == ActivityClass::MemcpyD2D && from != to)
            r.cls = ActivityClass::MemcpyP2P;
        if (!readTimes(table, r))
            return kNoTimes;
        if (r.cls == ActivityClass::MemcpyOther)
            return "copies between processors, or of a direction that is not known";
        if (!putOn(r.cls == ActivityClass::MemcpyH2D ? to : from, r))
            return kNoGpu;
        readStream(table, r);
        r.name = m_records.intern(direction);
        m_records.add(r);
        return nullptr;
    }

    const char* call(const CsvTable& table) {
        ActivityRecord r;
        const bool isMarker = table.text("Domain").find("MARKER") != std::string_view::npos;
        r.cls = isMarker ? ActivityClass::Nvtx : ActivityClass::Api;
        if (!readTimes(table, r))
            return kNoTimes;
        const std::uint32_t pid = table.number("Process_Id");
        m_pid = m_pid == kNoNumber ? pid : m_pid;
        if (pid != m_pid)
            return "calls of another process: the tables do not tell its kernels from those of the first";
        r.thread = table.number("Thread_Id");
        r.name = m_records.intern(table.text("Function"));
        if (isMarker)
            r.correlation = 0;
        m_records.add(r);
        return nullptr;
    }

    static constexpr const char* kNoTimes = "times or a correlation that are no whole numbers";
    static constexpr const char* kNoGpu = "of an agent that is no GPU";

    static bool readTimes(const CsvTable& table, ActivityRecord& r) {
        constexpr Ns kNone = -1;
        r.begin = wholeOr(table.text(kBegin), kNone), r.end = wholeOr(table.text(kEnd), kNone);
        r.correlation = table.number("Correlation_Id");
        return r.begin != kNone && r.end != kNone && r.correlation != kNoNumber;
    }
    /// "GPU 1" is the second GPU; "Agent 4", or 4, is the node of that number.
    bool putOn(std::string_view agent, ActivityRecord& r) {
        constexpr std::string_view kGpu = "GPU ", kAgent = "Agent ";
        const bool isPlace = agent.starts_with(kGpu);
        if (isPlace || agent.starts_with(kAgent))
            agent.remove_prefix(isPlace ? kGpu.size() : kAgent.size());
        const auto number = wholeOr(agent, kNoNumber);
        if (number == kNoNumber)
            return false;
        r.device = number;
        if (m_agents.empty()) // without agent_info.csv
            return true;
        const Agent* at = find(isPlace ? &Agent::place : &Agent::node, number);
        if (!at && !isPlace) // --agent-index relative
            at = find(&Agent::logical, number);
        if (!at)
            return false;
        r.device = at->place;
        m_devices.try_emplace(at->place, at->device);
        return true;
    }
    /// Stream 0 is that of HIP which has no handle.
    void readStream(const CsvTable& table, ActivityRecord& r) {
        const bool tells = table.has("Stream_Id");
        const std::int64_t id =
            wholeOr(table.text(tells ? "Stream_Id" : "Queue_Id"), std::int64_t{FileNumbers::kNone});
        m_hasNoStreams = m_hasNoStreams || !tells;
        m_hasNullStream = m_hasNullStream || (tells && id == 0);
        r.stream = m_streams.of(id);
    }
    /// HSA counts a grid in work items, CUDA in blocks of them.
    static void readGeometry(const CsvTable& table, ActivityRecord& r) {
        constexpr std::string_view kGrid[] = {"Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"},
                                   kBlock[] = {"Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z"};
        KernelGeometry g;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t items = table.number(kGrid[i], 0);
            g.block[i] = table.number(kBlock[i], 0);
            if (items == 0 || g.block[i] == 0) // a part lacks
                return;
            g.grid[i] = items / g.block[i] + (items % g.block[i] > 0 ? 1 : 0);
        }
        g.registersPerThread = table.number("VGPR_Count", 0) + table.number("Accum_VGPR_Count", 0);
        g.staticShared =
            table.number(table.has("LDS_Block_Size") ? "LDS_Block_Size" : "Group_Segment_Size", 0);
        r.geometry = g;
    }

    RecordSink& m_records;
    const RunControl& m_control;
    std::vector<Agent> m_agents; ///< GPUs
    std::map<std::uint32_t, DeviceRecord> m_devices;
    FileNumbers m_streams;
    std::uint32_t m_pid = kNoNumber;
    bool m_hasNoStreams = false, m_hasNullStream = false;
};

bool sniffRocprofCsv(std::span<const std::byte> head) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    text = text.substr(0, text.find('\n'));
    return text.find("End_Timestamp") != text.npos || text.find("Logical_Node_Id") != text.npos;
}

RecordingData readRocprofCsv(Source& source, RecordSink& records, const RunControl& control) {
    Run run(records, control);
    readRun(
        source, kFiles, records, control, [&](Source& file) { return run.read(file); }, // agents come first
        "Open the kernel_trace.csv that rocprofv3 --sys-trace --output-format csv writes.");
    run.finish();
    return {};
}

} // namespace

namespace imports::rocprof_csv {

Importer row() {
    return {"rocprofv3-csv", "rocprofv3 tables as text", "*.csv", sniffRocprofCsv, readRocprofCsv};
}

} // namespace imports::rocprof_csv

} // namespace olab::io
