// The tables cuda_gpu_trace and cuda_api_trace of nsys stats --format csv. Whichever is opened, the other one
// beside it with the same begin of its name is read with it.
//
// Units are in the names of the columns, and the tool may print lines before the table.
#include <olab/io/formats.h>

#include "csv_values.h"
#include "cuda_kinds.h"
#include "file_numbers.h"

#include <map>

namespace olab::io {
namespace {

using namespace imports;

constexpr std::string_view kFiles[] = {"cuda_gpu_trace.csv", "cuda_api_trace.csv", "gputrace.csv",
                                       "cudaapitrace.csv"};
constexpr std::string_view kMark = "Duration (";
constexpr std::string_view kWorkColumns[] = {"CorrId", "Device", "Ctx", "Strm", "Name"},
                           kCallColumns[] = {"CorrID", "Name"};

struct Unit {
    std::string_view name;
    std::int64_t size; ///< in nanoseconds or bytes
};
constexpr Unit kTimes[] = {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
constexpr Unit kSizes[] = {{"MB", 1'000'000}, {"B", 1},         {"KB", 1'000},    {"GB", 1'000'000'000},
                           {"byte", 1},       {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};

/// A column whose name has its unit: "Start (ns)".
struct Measured {
    std::string column; ///< empty: the table lacks it
    std::int64_t unit = 1;
    Measured(const CsvTable& table, std::string_view name, std::span<const Unit> units) {
        for (const Unit& each : units)
            if (const std::string full = std::string(name) + " (" + std::string(each.name) + ")";
                table.has(full))
                column = full, unit = each.size;
    }
};

class NsysTables {
public:
    NsysTables(RecordSink& records, const RunControl& control)
        : m_records(records)
        , m_control(control) {}

    /// @returns why it is not one of these tables; empty: it was read
    std::string read(Source& source) {
        CsvTable table(source, kMark);
        const Measured start(table, "Start", kTimes), length(table, "Duration", kTimes);
        if (start.column.empty() || length.column.empty())
            return "it lacks the columns Start and Duration with a unit of time";
        const bool isWork = table.has("CorrId");
        const ClassMask classes = isWork ? kDeviceClasses : maskOf(ActivityClass::Api);
        if (std::string lacks = table.lacking(isWork ? std::span<const std::string_view>(kWorkColumns)
                                                     : std::span<const std::string_view>(kCallColumns));
            !lacks.empty())
            return lacks;
        while (table.next(m_control)) {
            ActivityRecord r;
            const char* why = readTimes(table, start, length, r) ? nullptr : "times that are no numbers";
            why = why ? why : isWork ? work(table, r) : call(table, r);
            if (why)
                table.refuse(why, classes);
            else
                m_records.add(r);
        }
        table.finish(m_records, classes);
        return {};
    }
    void finish() {
        for (const auto& [number, name] : m_devices)
            m_records.add(DeviceRecord{number, name, {}});
        if (m_pid != kNoNumber)
            m_records.add(ProcessRecord{0, m_pid, 0, {}});
        m_streams.tellStreams(m_records);
        m_records.add(ProvenanceRecord{SourceKind::Imported, "NVIDIA Nsight Systems (nsys stats)", {}, {}});
    }

private:
    static bool readTimes(const CsvTable& table, const Measured& start, const Measured& length,
                          ActivityRecord& r) {
        const auto powerOf = [](std::int64_t unit) {
            int power = 0;
            for (; unit > 1; unit /= 10)
                ++power;
            return power;
        };
        const auto begin = WrittenTime::of(table.text(start.column), powerOf(start.unit));
        const auto took = WrittenTime::of(table.text(length.column), powerOf(length.unit));
        const auto from = begin ? begin->rounded() : std::nullopt;
        const auto to = begin && took ? (*begin + *took).rounded() : std::nullopt;
        r.begin = from.value_or(0), r.end = to.value_or(0);
        return from && to;
    }

    const char* work(const CsvTable& table, ActivityRecord& r) {
        const std::string_view name = table.text("Name");
        if (name.empty())
            return "a row without a name";
        const bool isCopy = name.starts_with("[CUDA memcpy"), isMemset = name.starts_with("[CUDA memset");
        r.cls = isCopy     ? copyClassOf(name) // "[CUDA memcpy HtoD]", "[CUDA memcpy Host-to-Device]"
                : isMemset ? ActivityClass::Memset
                           : ActivityClass::Kernel;
        if (!readPlace(table, r))
            return "a row without its device, context or stream";
        r.correlation = table.number("CorrId", 0);
        if (r.cls == ActivityClass::Kernel) {
            r.name = m_records.intern(name);
            r.flags = kFlagAsync;
            return readGeometry(table, r) ? nullptr : "a kernel without a part of its grid";
        }
        const auto bytes = sizeIn(table, "Bytes");
        if (!bytes)
            return "a copy or memset whose size is no number";
        r.bytes = *bytes;
        r.flags = name.find("Unified") != name.npos ? kFlagUnified : 0;
        r.source = memoryKindOf(table.text("SrcMemKd")), r.target = memoryKindOf(table.text("DstMemKd"));
        return nullptr;
    }
    /// "NVIDIA A10G (0)"
    bool readPlace(const CsvTable& table, ActivityRecord& r) {
        const std::string_view device = table.text("Device");
        const std::size_t open = device.rfind(" (");
        if (!device.ends_with(')') || open == device.npos)
            return false;
        r.device = wholeOr(device.substr(open + 2, device.size() - open - 3), kNoNumber);
        r.context = table.number("Ctx");
        const std::int64_t stream = wholeOr(table.text("Strm"), std::int64_t{FileNumbers::kNone});
        r.stream = m_streams.of(stream);
        if (r.device == kNoNumber || r.context == kNoNumber || stream == FileNumbers::kNone)
            return false;
        m_devices.try_emplace(r.device, device.substr(0, open));
        return true;
    }
    static bool readGeometry(const CsvTable& table, ActivityRecord& r) {
        constexpr std::string_view kGrid[] = {"GrdX", "GrdY", "GrdZ"}, kBlock[] = {"BlkX", "BlkY", "BlkZ"};
        KernelGeometry g;
        std::size_t told = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            g.grid[i] = table.number(kGrid[i], 0), g.block[i] = table.number(kBlock[i], 0);
            told += (g.grid[i] > 0 ? 1u : 0u) + (g.block[i] > 0 ? 1u : 0u);
        }
        g.registersPerThread = table.number("Reg/Trd", 0);
        g.staticShared = numberOr(sizeIn(table, "StcSMem").value_or(0), 0);
        g.dynamicShared = numberOr(sizeIn(table, "DymSMem").value_or(0), 0);
        if (told == 6)
            r.geometry = g;
        return told == 6 || told == 0;
    }
    /// Of "33.554" in MB 33554000: as exact as it is written.
    static std::optional<std::int64_t> sizeIn(const CsvTable& table, std::string_view name) {
        const Measured size(table, name, kSizes);
        constexpr int kDecimals = 6;
        const auto millionths = WrittenTime::of(table.text(size.column), kDecimals);
        const auto number = millionths ? millionths->rounded() : std::nullopt;
        __extension__ using Wide = __int128;
        const Wide bytes = number ? (Wide{*number} * size.unit + 500'000) / 1'000'000 : -1;
        return bytes >= 0 && bytes <= std::numeric_limits<std::int64_t>::max()
                   ? std::optional(static_cast<std::int64_t>(bytes))
                   : std::nullopt;
    }

    const char* call(const CsvTable& table, ActivityRecord& r) {
        r.cls = ActivityClass::Api;
        const std::uint32_t pid = table.number(table.has("Pid") ? "Pid" : "PID");
        m_pid = m_pid == kNoNumber ? pid : m_pid;
        if (pid != m_pid)
            return "calls of another process: the tables do not tell its kernels from those of the first";
        r.thread = table.number(table.has("Tid") ? "Tid" : "TID");
        r.correlation = table.number("CorrID", 0);
        r.name = m_records.intern(withoutVersion(table.text("Name")));
        r.flags = table.number("Result", 0) != 0 ? kFlagFailed : 0;
        return nullptr;
    }

    RecordSink& m_records;
    const RunControl& m_control;
    FileNumbers m_streams;
    std::map<std::uint32_t, std::string> m_devices;
    std::uint32_t m_pid = kNoNumber;
};

bool sniffNsysStats(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    const std::size_t mark = text.find(kMark);
    const std::string_view line = mark == text.npos ? text.substr(0, 0) : text.substr(mark);
    const std::string_view header = line.substr(0, line.find('\n'));
    return header.find("CorrId") != header.npos || header.find("CorrID") != header.npos;
}

RecordingData readNsysStats(Source& source, RecordSink& records, const RunControl& control) {
    NsysTables tables(records, control);
    readRun(
        source, kFiles, records, control, [&](Source& file) { return tables.read(file); },
        "Write both tables of a report: nsys stats --report cuda_gpu_trace,cuda_api_trace --format csv -o . "
        "REPORT");
    tables.finish();
    return {};
}

} // namespace

namespace imports::nsys_stats_csv {

Importer row() {
    return {"nsys-stats", "nsys stats GPU and API traces as text", "*.csv", sniffNsysStats, readNsysStats};
}

} // namespace imports::nsys_stats_csv

} // namespace olab::io
