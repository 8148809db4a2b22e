#include "nsys_rows.h"

#include "cuda_kinds.h"
#include "sqlite_work.h"

namespace olab::io::imports {
namespace {

using Columns = std::span<const std::string_view>;

// Memory kinds are stored plus 1, since 0 is a valid kind; see translateKinds().
std::uint8_t rawKind(const RowCells& cells, int column) {
    const std::int64_t kind = cells.number(column, -1);
    return kind >= 0 && kind < static_cast<std::int64_t>(NsysKinds::kMost)
               ? static_cast<std::uint8_t>(kind + 1)
               : std::uint8_t{0};
}

// --- work of the device: its first columns are the same everywhere

#define OLAB_OWNED_WORK_COLUMNS OLAB_WORK_COLUMNS, "globalPid"
constexpr int kOwned = kWorkColumns, kOwnedColumns = kWorkColumns + 1;

bool readOwned(const RowCells& cells, ScannedRow& row) {
    if (!readWork(cells, row))
        return false;
    row.shape.owner = id(cells, kOwned);
    return true;
}

constexpr std::string_view kKernelColumns[] = {OLAB_OWNED_WORK_COLUMNS,
                                               "demangledName",
                                               "mangledName",
                                               "shortName",
                                               "registersPerThread",
                                               "staticSharedMemory",
                                               "dynamicSharedMemory",
                                               "gridX",
                                               "gridY",
                                               "gridZ",
                                               "blockX",
                                               "blockY",
                                               "blockZ"};

bool makeKernel(const RowCells& cells, ScannedRow& row, ScannedRows& all) {
    if (!readOwned(cells, row))
        return true;
    all.lacking += cells.lacks(kWorkColumns - 1, kOwned) ? 1 : 0; // correlation, process
    for (int name = kOwnedColumns; name < kOwnedColumns + 3 && row.shape.name < 0; ++name)
        row.shape.name = id(cells, name);
    row.shape.flags = kFlagAsync;
    if (cells.isNull(kOwnedColumns + 6)) // no grid was recorded
        return true;
    row.shape.setGeometry(geometryFrom(cells, kOwnedColumns + 3));
    return true;
}

constexpr std::string_view kCopyColumns[] = {OLAB_OWNED_WORK_COLUMNS, "bytes", "copyKind", "srcKind",
                                             "dstKind"};

bool makeCopy(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readOwned(cells, row))
        return true;
    cells.needs(kOwnedColumns, kOwnedColumns + 1);
    row.shape.bytes = cells.number(kOwnedColumns); // a negative one is refused by the sink
    const std::int64_t kind = number(cells, kOwnedColumns + 1, 0);
    row.shape.cls = copyClassOf(kind);
    row.shape.flags = isMigration(kind) ? kFlagUnified : 0;
    row.shape.source = MemoryKind{rawKind(cells, kOwnedColumns + 2)};
    row.shape.target = MemoryKind{rawKind(cells, kOwnedColumns + 3)};
    return true;
}

bool makePeerCopy(const RowCells& cells, ScannedRow& row, ScannedRows& all) {
    makeCopy(cells, row, all);
    row.shape.cls = ActivityClass::MemcpyP2P;
    return true;
}

constexpr std::string_view kMemsetColumns[] = {OLAB_OWNED_WORK_COLUMNS, "bytes", "memKind"};

bool makeMemset(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readOwned(cells, row))
        return true;
    cells.needs(kOwnedColumns);
    row.shape.bytes = cells.number(kOwnedColumns);
    row.shape.target = MemoryKind{rawKind(cells, kOwnedColumns + 1)};
    return true;
}

constexpr std::string_view kGraphColumns[] = {OLAB_OWNED_WORK_COLUMNS};

bool makeGraph(const RowCells&, ScannedRow& row, ScannedRows&) {
    row.refuse("", DefectCode::GraphsAsOne);
    return true;
}

// --- what the host did

constexpr std::string_view kCallColumns[] = {"start",         "end",    "globalTid",
                                             "correlationId", "nameId", "returnValue"};

bool makeCall(const RowCells& cells, ScannedRow& row, ScannedRows& all) {
    if (!readTimes(cells, row))
        return true;
    row.shape.owner = id(cells, 2);
    row.shape.thread = row.shape.owner < 0 ? kNoNumber : threadOf(row.shape.owner);
    row.correlation = number(cells, 3, 0);
    row.shape.name = id(cells, 4);
    if (row.shape.cls != ActivityClass::Api)
        return true;
    row.shape.flags = cells.number(5) != 0 ? kFlagFailed : 0;
    all.lacking += cells.lacks(2, 3, 4) ? 1 : 0;
    return true;
}

constexpr std::string_view kSyncColumns[] = {OLAB_OWNED_WORK_COLUMNS, "eventId", "eventSyncId"};

/// Not recorded: all bits are ones, 32 or 64 of them.
std::int64_t recordingOf(const RowCells& cells, int column) {
    const std::int64_t id = cells.number(column);
    return static_cast<std::uint32_t>(id) == kNoNumber ? 0 : id;
}

bool makeSync(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readOwned(cells, row))
        return true;
    row.event = number(cells, kOwnedColumns);
    row.recording = recordingOf(cells, kOwnedColumns + 1);
    return true;
}

constexpr std::string_view kEventColumns[] = {"deviceId", "contextId",   "streamId", "correlationId",
                                              "eventId",  "eventSyncId", "globalPid"};

bool makeEvent(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    row.kind = ScannedRow::Kind::EventRecord;
    cells.needs(0, 2);
    row.shape.device = number(cells, 0);
    row.shape.context = id(cells, 1);
    row.shape.stream = id(cells, 2);
    row.correlation = number(cells, 3, 0);
    row.event = number(cells, 4);
    row.recording = recordingOf(cells, 5);
    row.shape.owner = id(cells, 6);
    return true;
}

// NSYS_EVENT_TYPE: those of NVTX, and of NVTX in a text file.
enum NvtxType : std::int64_t {
    kMark = 34,
    kPushPop = 59,
    kStartEnd = 60,
    kTextMark = 65,
    kTextPushPop = 70,
    kTextStartEnd = 71,
    kDomainCreate = 75
};

constexpr std::string_view kNvtxColumns[] = {"start",  "end",       "eventType", "text",
                                             "textId", "globalTid", "domainId"};

void readLabel(const RowCells& cells, ScannedRow& row, ScannedRows& all) {
    if (const std::string_view text = cells.text(3); !text.empty())
        all.setText(row, text);
    else
        row.shape.name = id(cells, 4);
    row.shape.owner = id(cells, 5);
    row.domain = cells.number(6);
}

bool makeNvtx(const RowCells& cells, ScannedRow& row, ScannedRows& all) {
    const std::int64_t type = cells.number(2, kPushPop);
    const bool isMark = type == kMark || type == kTextMark;
    const bool isRange =
        type == kPushPop || type == kStartEnd || type == kTextPushPop || type == kTextStartEnd;
    if (type == kDomainCreate)
        row.kind = ScannedRow::Kind::DomainName;
    else if (!isMark && !isRange)
        return false; // names of threads, categories etc.: not activities
    readLabel(cells, row, all);
    if (row.kind == ScannedRow::Kind::DomainName)
        return true;
    const auto start = cells.integer(0), end = cells.integer(1);
    if (!start || (!isMark && !end && !cells.isNull(1))) {
        row.refuse(kNoTime);
        return true;
    }
    if (!isMark && !end) {
        row.refuse("", DefectCode::OpenRange);
        return true;
    }
    row.begin = *start, row.end = isMark ? *start : *end;
    row.shape.thread = row.shape.owner < 0 ? kNoNumber : threadOf(row.shape.owner);
    return true;
}

struct TableRow {
    std::string_view name;
    Columns columns;
    bool (*make)(const RowCells&, ScannedRow&, ScannedRows&);
    ActivityClass cls;
    ClassMask touches;
    bool isBulk = false;
};

/// The columns of a table that every version of Nsight Systems writes, beside those of nvprof too.
Columns alwaysOf(ActivityClass cls) {
    static constexpr std::string_view kOfWork[] = {"correlationId", "globalPid"},
                                      kOfCalls[] = {"globalTid", "correlationId", "nameId"};
    return isDeviceClass(cls) ? Columns(kOfWork) : cls == ActivityClass::Api ? Columns(kOfCalls) : Columns();
}

constexpr TableRow kTables[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", kKernelColumns, makeKernel, ActivityClass::Kernel,
     maskOf(ActivityClass::Kernel), true},
    {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", kKernelColumns, makeKernel, ActivityClass::Kernel,
     maskOf(ActivityClass::Kernel), true},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", kCopyColumns, makeCopy, ActivityClass::MemcpyOther, kCopyClasses, true},
    {"CUPTI_ACTIVITY_KIND_MEMCPY2", kCopyColumns, makePeerCopy, ActivityClass::MemcpyP2P,
     maskOf(ActivityClass::MemcpyP2P), true},
    {"CUPTI_ACTIVITY_KIND_MEMSET", kMemsetColumns, makeMemset, ActivityClass::Memset,
     maskOf(ActivityClass::Memset), true},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kGraphColumns, makeGraph, ActivityClass::Kernel, kDeviceClasses},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", kCallColumns, makeCall, ActivityClass::Api, maskOf(ActivityClass::Api),
     true},
    {"CUPTI_ACTIVITY_KIND_DRIVER", kCallColumns, makeCall, ActivityClass::Api, maskOf(ActivityClass::Api),
     true},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kSyncColumns, makeSync, ActivityClass::Sync,
     maskOf(ActivityClass::Sync)},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", kEventColumns, makeEvent, ActivityClass::Sync,
     maskOf(ActivityClass::Sync)},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", kCallColumns, makeCall, ActivityClass::Overhead,
     maskOf(ActivityClass::Overhead), true},
    {"PROFILER_OVERHEAD", kCallColumns, makeCall, ActivityClass::Overhead, maskOf(ActivityClass::Overhead),
     true},
    {"NVTX_EVENTS", kNvtxColumns, makeNvtx, ActivityClass::Nvtx, maskOf(ActivityClass::Nvtx)},
};

} // namespace

std::unique_ptr<SqliteTable> tableOf(SqliteDatabase& database, std::string_view name, std::string& trouble) {
    trouble.clear();
    for (const char* version : {"", "_V3", "_V2"})
        if (const std::string full = std::string(name) + version; database.has(full))
            return database.table(full, trouble);
    return nullptr;
}

std::vector<ScannedTable> nsysTables(SqliteDatabase& database,
                                     std::vector<std::pair<ClassMask, std::string>>& troubles) {
    std::vector<ScannedTable> tables;
    for (const TableRow& row : kTables) {
        std::string trouble;
        if (auto table = tableOf(database, row.name, trouble)) {
            trouble = table->expect(row.columns, alwaysOf(row.cls));
            tables.push_back({std::move(*table), row.columns, row.make, row.cls, row.touches, row.isBulk});
        }
        if (!trouble.empty())
            troubles.emplace_back(row.touches, std::string(row.name) + ": " + trouble);
    }
    return tables;
}

void translateKinds(ActivityRecord& record, const NsysKinds& kinds) {
    record.source = kinds.of(static_cast<std::int64_t>(record.source) - 1);
    record.target = kinds.of(static_cast<std::int64_t>(record.target) - 1);
}

} // namespace olab::io::imports
