#include "nsys_facts.h"

#include "cuda_kinds.h"

#include <olab/analysis/threads.h>

#include <algorithm>
#include <charconv>

namespace olab::io::imports {
namespace {

/// The rows of a table, if it is readable.
/// @returns why some may be missing; of most of these tables that is not worth a defect
template <typename Take>
std::string eachRow(SqliteDatabase& database, std::string_view name,
                    std::span<const std::string_view> columns, Take take) {
    std::string trouble;
    const auto table = tableOf(database, name, trouble);
    if (!table)
        return trouble;
    SqliteRows rows(database, *table, columns);
    while (rows.next())
        take(rows.cells());
    return rows.damage();
}

std::uint32_t number(const RowCells& cells, int column, std::uint32_t otherwise = kNoNumber) {
    const auto value = cells.integer(column);
    return value ? numberOr(*value, otherwise) : otherwise;
}

std::int64_t id(const RowCells& cells, int column) {
    return cells.integer(column).value_or(FileNumbers::kNone);
}

/// Tables of facts refer to a process by its system pid.
std::vector<std::uint32_t> processesWith(const NsysProcesses& processes, std::uint32_t pid) {
    std::vector<std::uint32_t> found;
    for (const auto& [global, process] : processes.all())
        if (global >= 0 && pidOf(global) == (pid & 0xffffff))
            found.push_back(process);
    return found;
}

bool isKnownUuid(std::string_view uuid) {
    return uuid.find_first_not_of("0-") != uuid.npos;
}

constexpr std::string_view kGpuColumns[] = {"id",
                                            "cuDevice",
                                            "deviceId",
                                            "name",
                                            "uuid",
                                            "smCount",
                                            "asyncEngines",
                                            "maxWarpsPerSm",
                                            "threadsPerWarp",
                                            "maxBlocksPerSm",
                                            "maxRegistersPerSm",
                                            "maxShmemPerSm",
                                            "totalMemory",
                                            "computeMajor",
                                            "computeMinor"};

struct Gpu {
    std::uint32_t id = kNoNumber, ordinal = kNoNumber;
    DeviceRecord record;
};

std::vector<Gpu> gpusOf(SqliteDatabase& database) {
    std::vector<Gpu> gpus;
    eachRow(database, "TARGET_INFO_GPU", kGpuColumns, [&](const RowCells& cells) {
        Gpu gpu;
        gpu.id = number(cells, 0);
        gpu.ordinal = number(cells, cells.isNull(1) ? 2 : 1); // the column's name of 2020
        DeviceRecord& d = gpu.record;
        d.name = cells.text(3);
        if (const std::string_view uuid = cells.text(4); isKnownUuid(uuid))
            d.uuid = (uuid.starts_with("GPU-") ? "" : "GPU-") + std::string(uuid);
        d.smCount = number(cells, 5, 0);
        d.copyEngines = number(cells, 6, 0);
        d.maxThreadsPerSm = number(cells, 7, 0) * number(cells, 8, 0);
        d.maxBlocksPerSm = number(cells, 9, 0);
        d.registersPerSm = number(cells, 10, 0);
        d.sharedPerSm = static_cast<std::uint64_t>(std::max<std::int64_t>(0, cells.number(11)));
        d.memoryBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, cells.number(12)));
        d.computeMajor = number(cells, 13, 0), d.computeMinor = number(cells, 14, 0);
        if (gpus.size() < 4096)
            gpus.push_back(std::move(gpu));
    });
    return gpus;
}

const Gpu* find(const std::vector<Gpu>& gpus, std::uint32_t Gpu::*number, std::uint32_t value) {
    const auto at = std::ranges::find(gpus, value, number);
    return value == kNoNumber || at == gpus.end() ? nullptr : &*at;
}

// The value of a key in a table of names and values.
std::string valueOf(SqliteDatabase& database, std::string_view table, std::string_view key) {
    constexpr std::string_view kColumns[] = {"name", "value"};
    std::string value;
    eachRow(database, table, kColumns, [&](const RowCells& cells) {
        if (cells.text(0) == key)
            value = cells.text(1).substr(0, 4096);
    });
    return value;
}

/// "525.105.17", which exports of 2022 write as 52510517.
std::string driverVersion(const std::string& value) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < 10'000'000)
        return value;
    return std::to_string(number / 100'000) + "." + std::to_string(number / 100 % 1000) + "." +
           std::to_string(number % 100);
}

void addEnvironment(SqliteDatabase& database, RecordSink& records) {
    struct Fact {
        std::string_view name, key;
    };
    constexpr Fact kFacts[] = {
        {"NvDriverVersion", "driver"}, {"OsDescription", "platform"}, {"CpuDescription", "cpu"}};
    for (const Fact& fact : kFacts)
        if (const std::string value = valueOf(database, "TARGET_INFO_SYSTEM_ENV", fact.name);
            !value.empty() && value != "unknown")
            records.add(EnvironmentRecord{std::string(fact.key),
                                          fact.key == "driver" ? driverVersion(value) : value});
}

/// Nanoseconds since 1970 at time 0 of the file; 0: unknown.
Ns startOf(SqliteDatabase& database) {
    constexpr std::string_view kColumns[] = {"utcEpochNs"};
    Ns start = 0;
    eachRow(database, "TARGET_INFO_SESSION_START_TIME", kColumns,
            [&](const RowCells& cells) { start = cells.integer(0).value_or(0); });
    return start;
}

constexpr ClassMask kOfCuda = kDeviceClasses | maskOf(ActivityClass::Api) | maskOf(ActivityClass::Sync);

/// The classes of which events may be missing by a warning: "Not all CUDA events might have been collected.",
/// "CUDA profiling might have not been started correctly." 0: it says nothing of that.
ClassMask missingBy(std::string_view warning) {
    const auto says = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words,
                                   [&](std::string_view word) { return warning.find(word) != warning.npos; });
    };
    if (!says({"Not all", "might have not been", "ropped", " lost"}))
        return 0;
    return (says({"CUDA", "CUPTI", "GPU"}) ? kOfCuda : 0) |
           (says({"NVTX"}) ? maskOf(ActivityClass::Nvtx) : 0);
}

} // namespace

void addWarnings(SqliteDatabase& database, RecordSink& records) {
    constexpr std::string_view kName = "DIAGNOSTIC_EVENT", kColumns[] = {"severity", "text"};
    constexpr std::int64_t kInfo = 1, kWarning = 2, kError = 3,
                           kVerbose = 4; // ENUM_DIAGNOSTIC_SEVERITY_LEVEL
    std::uint64_t unread = 0;
    const std::string trouble = eachRow(database, kName, kColumns, [&](const RowCells& cells) {
        const std::int64_t severity = cells.integer(0).value_or(0);
        const std::string_view text = cells.text(1);
        if (severity == kInfo || severity == kVerbose)
            return;
        if (text.empty() || (severity != kWarning && severity != kError)) {
            ++unread;
            return;
        }
        const ClassMask missing = missingBy(text);
        records.addDefect(missing != 0 ? DefectCode::RecorderLoss : DefectCode::RecorderWarning, 1, missing,
                          std::string(text));
    });
    if (unread > 0 || !trouble.empty())
        records.addDefect(DefectCode::DamagedChunk, std::max<std::uint64_t>(unread, 1), kAllClasses,
                          std::string(kName) + ": " +
                              (trouble.empty() ? "warnings that cannot be read" : trouble));
}

NsysKinds kindsOf(SqliteDatabase& database) {
    NsysKinds kinds;
    constexpr std::string_view kColumns[] = {"id", "name"};
    bool isFirst = true;
    eachRow(database, "ENUM_CUDA_MEM_KIND", kColumns, [&](const RowCells& cells) {
        if (std::exchange(isFirst, false))
            std::ranges::fill(kinds.memory, MemoryKind::Unknown);
        const std::int64_t id = cells.integer(0).value_or(-1);
        if (id >= 0 && id < static_cast<std::int64_t>(NsysKinds::kMost))
            kinds.memory[id] = memoryKindOf(cells.text(1));
    });
    return kinds;
}

void addOrigin(SqliteDatabase& database, RecordSink& records) {
    ProvenanceRecord origin{SourceKind::Imported, "NVIDIA Nsight Systems", {}, {}};
    for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"})
        if (origin.toolVersion.empty())
            origin.toolVersion = valueOf(database, table, "EXPORT_PRODUCT_VERSION");
    const Ns start = startOf(database);
    origin.recordedAt = isoTimeOf(start);
    records.add(origin);
    if (start > 0) // times stay as in the file; this relates them to those of other files
        records.add(EnvironmentRecord{"import.base_time_ns", std::to_string(start)});
    for (const char* table : {"META_DATA_EXPORT", "EXPORT_META_DATA"})
        if (std::string schema = valueOf(database, table, "EXPORT_SCHEMA_VERSION"); !schema.empty())
            records.add(EnvironmentRecord{"nsys.schema", std::move(schema)});
    addEnvironment(database, records);
}

void addProcesses(SqliteDatabase& database, const NsysProcesses& processes, RecordSink& records) {
    std::map<std::int64_t, std::string> names;
    constexpr std::string_view kColumns[] = {"globalPid", "name"};
    eachRow(database, "PROCESSES", kColumns, [&](const RowCells& cells) {
        const auto global = cells.integer(0);
        if (global && processes.all().contains(*global))
            names[*global] = cells.text(1);
    });
    for (const auto& [global, process] : processes.all())
        if (global >= 0)
            records.add(ProcessRecord{process, pidOf(global), 0, names[global]});
}

void addDevices(SqliteDatabase& database, const NsysProcesses& processes, const NsysPlaces& devices,
                RecordSink& records) {
    std::vector<Gpu> gpus = gpusOf(database);
    // Two devices of one file stay distinct, whatever a damaged table says.
    for (Gpu& gpu : gpus)
        if (std::ranges::count(gpus, gpu.record.uuid, [](const Gpu& g) { return g.record.uuid; }) > 1)
            for (const std::string uuid = gpu.record.uuid; Gpu & other : gpus)
                if (other.record.uuid == uuid)
                    other.record.uuid.clear();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>
        shown; // id, SMs
    constexpr std::string_view kColumns[] = {"gpuId", "cudaId", "pid", "numMultiprocessors"};
    eachRow(database, "TARGET_INFO_CUDA_DEVICE", kColumns, [&](const RowCells& cells) {
        for (const std::uint32_t process : processesWith(processes, number(cells, 2)))
            shown[{process, number(cells, 1)}] = {number(cells, 0), number(cells, 3, 0)};
    });
    for (const auto& [process, device] : devices) {
        const auto said = shown.find({process, device});
        const Gpu* gpu = said != shown.end() ? find(gpus, &Gpu::id, said->second.first) : nullptr;
        for (const auto member : {&Gpu::ordinal, &Gpu::id})
            gpu = gpu ? gpu : find(gpus, member, device);
        if (!gpu && said == shown.end())
            continue;
        DeviceRecord record = gpu ? gpu->record : DeviceRecord{};
        record.device = device, record.process = process;
        if (said != shown.end() && said->second.second > 0)
            record.smCount = said->second.second;
        records.add(record);
    }
}

void addContexts(SqliteDatabase& database, const NsysProcesses& processes, NsysNumbers& numbers,
                 const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& deviceOfContext,
                 RecordSink& records) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, ContextRecord> contexts;
    for (const auto& [key, device] : deviceOfContext)
        contexts[key] = {key.second, device, kNoNumber, key.first};
    const auto take = [&](const RowCells& cells) {
        for (const std::uint32_t process : processesWith(processes, number(cells, 1))) {
            const std::uint32_t context = numbers.contexts.of(id(cells, 3));
            ContextRecord& record =
                contexts
                    .try_emplace({process, context},
                                 ContextRecord{context, number(cells, 2), kNoNumber, process})
                    .first->second;
            record.nullStream = numbers.streams.of(id(cells, 0));
        }
    };
    constexpr std::string_view kOld[] = {"streamId", "processId", "deviceId", "contextId"},
                               kNew[] = {"nullStreamId", "processId", "deviceId", "contextId"};
    eachRow(database, "TARGET_INFO_CUDA_NULL_STREAM", kOld, take);
    eachRow(database, "TARGET_INFO_CUDA_CONTEXT_INFO", kNew, take);
    for (const auto& [key, record] : contexts)
        records.add(record);
}

void addStreams(SqliteDatabase& database, const NsysProcesses& processes, NsysNumbers& numbers,
                RecordSink& records) {
    constexpr std::string_view kColumns[] = {"streamId", "processId", "contextId", "priority", "flag"};
    eachRow(database, "TARGET_INFO_CUDA_STREAM", kColumns, [&](const RowCells& cells) {
        for (const std::uint32_t process : processesWith(processes, number(cells, 1)))
            records.add(StreamRecord{numbers.contexts.of(id(cells, 2)), numbers.streams.of(id(cells, 0)),
                                     streamKindOf(cells.number(4)),
                                     static_cast<std::int32_t>(cells.number(3)), process}); // -5 is 2^32 - 5
    });
    numbers.streams.tellStreams(records);
}

void addThreadNames(SqliteDatabase& database, const std::set<std::uint32_t>& threads,
                    const std::function<std::string_view(std::int64_t)>& textOf, RecordSink& records) {
    std::map<std::uint32_t, std::int64_t> names;
    constexpr std::string_view kColumns[] = {"nameId", "globalTid"};
    eachRow(database, "ThreadNames", kColumns, [&](const RowCells& cells) {
        const auto name = cells.integer(0), thread = cells.integer(1);
        const auto number = threadOf(thread.value_or(0));
        if (name && *name >= 0 && thread && names.size() < analysis::kMostNamedThreads &&
            threads.contains(number))
            names.try_emplace(number, *name);
    });
    for (const auto& [thread, name] : names)
        if (const std::string text(textOf(name)); !text.empty())
            records.add(
                EnvironmentRecord{std::string(analysis::kThreadNameKey) + std::to_string(thread), text});
}

} // namespace olab::io::imports
