#include "nvprof_rows.h"

#include "cuda_kinds.h"
#include "sqlite_work.h"

#include <cstring>

namespace olab::io::imports {
namespace {

constexpr ClassMask kCopies =
    kCopyClasses & ~maskOf(ActivityClass::MemcpyP2P); // those have a record of their own

constexpr std::string_view kKernelColumns[] = {OLAB_WORK_COLUMNS,
                                               "name",
                                               "registersPerThread",
                                               "staticSharedMemory",
                                               "dynamicSharedMemory",
                                               "gridX",
                                               "gridY",
                                               "gridZ",
                                               "blockX",
                                               "blockY",
                                               "blockZ"};

bool makeKernel(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readWork(cells, row))
        return true;
    row.shape.name = id(cells, kWorkColumns);
    row.shape.flags = kFlagAsync;
    row.shape.setGeometry(geometryFrom(cells, kWorkColumns + 1));
    return true;
}

constexpr std::string_view kCopyColumns[] = {OLAB_WORK_COLUMNS, "bytes",   "copyKind",
                                             "srcKind",         "dstKind", "flags"};
constexpr std::int64_t kAsync = 1; // CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC, _MEMSET_ASYNC

bool makeCopy(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readWork(cells, row))
        return true;
    cells.needs(kWorkColumns, kWorkColumns + 1);
    row.shape.bytes = cells.number(kWorkColumns);
    row.shape.cls = copyClassOf(number(cells, kWorkColumns + 1, 0));
    row.shape.source = memoryKindOf(cells.number(kWorkColumns + 2));
    row.shape.target = memoryKindOf(cells.number(kWorkColumns + 3));
    row.shape.flags = (cells.number(kWorkColumns + 4) & kAsync) != 0 ? kFlagAsync : 0;
    return true;
}

bool makePeerCopy(const RowCells& cells, ScannedRow& row, ScannedRows& all) {
    makeCopy(cells, row, all);
    row.shape.cls = ActivityClass::MemcpyP2P;
    return true;
}

constexpr std::string_view kMemsetColumns[] = {OLAB_WORK_COLUMNS, "bytes", "memoryKind", "flags"};

bool makeMemset(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readWork(cells, row))
        return true;
    cells.needs(kWorkColumns);
    row.shape.bytes = cells.number(kWorkColumns);
    row.shape.target = memoryKindOf(cells.number(kWorkColumns + 1));
    row.shape.flags = (cells.number(kWorkColumns + 2) & kAsync) != 0 ? kFlagAsync : 0;
    return true;
}

constexpr std::string_view kCounterColumns[] = {"start"};

bool makeCounter(const RowCells&, ScannedRow& row, ScannedRows&) {
    row.refuse("counters of unified memory, which are no copies", DefectCode::UnknownKind);
    return true;
}

constexpr std::string_view kCallColumns[] = {"start", "end",         "threadId", "correlationId",
                                             "cbid",  "returnValue", "processId"};

bool makeCall(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readTimes(cells, row))
        return true;
    // Stored with a sign by some versions.
    row.shape.thread = cells.isNull(2) ? kNoNumber : static_cast<std::uint32_t>(cells.number(2));
    row.correlation = number(cells, 3, 0);
    row.shape.name = id(cells, 4);
    row.shape.flags = cells.number(5) != 0 ? kFlagFailed : 0;
    row.shape.owner = id(cells, 6);
    return true;
}

constexpr std::string_view kSyncColumns[] = {"start",    "end",           "contextId",
                                             "streamId", "correlationId", "cudaEventId"};

bool makeSync(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readTimes(cells, row))
        return true;
    row.shape.context = id(cells, 2);
    row.shape.stream = id(cells, 3);
    row.correlation = number(cells, 4, 0);
    row.event = number(cells, 5);
    return true;
}

constexpr std::string_view kEventColumns[] = {"contextId", "streamId", "correlationId", "eventId"};

bool makeEvent(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    row.kind = ScannedRow::Kind::EventRecord;
    row.shape.context = id(cells, 0);
    row.shape.stream = id(cells, 1);
    row.correlation = number(cells, 2, 0);
    row.event = number(cells, 3);
    return true;
}

/// The thread of a record with a thread: after the process in the blob.
std::uint32_t threadIn(const RowCells& cells, int kind, int id) {
    constexpr std::int64_t kIsThread = 2; // CUPTI_ACTIVITY_OBJECT_THREAD
    const std::string_view blob = cells.bytes(id);
    std::uint32_t thread = kNoNumber;
    if (cells.number(kind) == kIsThread && blob.size() >= 2 * sizeof thread)
        std::memcpy(&thread, blob.data() + sizeof thread, sizeof thread);
    return thread;
}

constexpr std::string_view kOverheadColumns[] = {"start", "end", "objectKind", "objectId", "overheadKind"};

bool makeOverhead(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readTimes(cells, row))
        return true;
    row.shape.thread = threadIn(cells, 2, 3);
    row.shape.name = cells.number(4);
    return true;
}

constexpr std::string_view kMarkerColumns[] = {"timestamp", "id", "flags", "objectKind", "objectId", "name"};

/// One end of a range; the flags say which, and are passed in the domain field.
bool makeMarker(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    const auto at = cells.integer(0);
    if (!at) {
        row.refuse(kNoTime);
        return true;
    }
    row.begin = row.end = *at;
    row.shape.owner = cells.number(1);
    row.domain = cells.number(2);
    row.shape.thread = threadIn(cells, 3, 4);
    row.shape.name = id(cells, 5);
    return true;
}

struct TableRow {
    std::string_view name;
    std::span<const std::string_view> columns;
    bool (*make)(const RowCells&, ScannedRow&, ScannedRows&);
    ActivityClass cls;
    ClassMask touches;
};

constexpr TableRow kTables[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", kKernelColumns, makeKernel, ActivityClass::Kernel,
     maskOf(ActivityClass::Kernel)},
    {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", kKernelColumns, makeKernel, ActivityClass::Kernel,
     maskOf(ActivityClass::Kernel)},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", kCopyColumns, makeCopy, ActivityClass::MemcpyOther, kCopies},
    {"CUPTI_ACTIVITY_KIND_MEMCPY2", kCopyColumns, makePeerCopy, ActivityClass::MemcpyP2P,
     maskOf(ActivityClass::MemcpyP2P)},
    {"CUPTI_ACTIVITY_KIND_MEMSET", kMemsetColumns, makeMemset, ActivityClass::Memset,
     maskOf(ActivityClass::Memset)},
    {"CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER", kCounterColumns, makeCounter, ActivityClass::MemcpyOther,
     0},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", kCallColumns, makeCall, ActivityClass::Api, maskOf(ActivityClass::Api)},
    {kNvprofDriverTable, kCallColumns, makeCall, ActivityClass::Api, maskOf(ActivityClass::Api)},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kSyncColumns, makeSync, ActivityClass::Sync,
     maskOf(ActivityClass::Sync)},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", kEventColumns, makeEvent, ActivityClass::Sync,
     maskOf(ActivityClass::Sync)},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", kOverheadColumns, makeOverhead, ActivityClass::Overhead,
     maskOf(ActivityClass::Overhead)},
    {"CUPTI_ACTIVITY_KIND_MARKER", kMarkerColumns, makeMarker, ActivityClass::Nvtx,
     maskOf(ActivityClass::Nvtx)},
};

} // namespace

std::vector<ScannedTable> nvprofTables(SqliteDatabase& database, RecordSink& records) {
    std::vector<ScannedTable> tables;
    for (const TableRow& row : kTables) {
        std::string trouble;
        if (auto table = database.table(row.name, trouble)) {
            trouble = table->expect(row.columns);
            tables.push_back({std::move(*table), row.columns, row.make, row.cls, row.touches});
        }
        if (!trouble.empty())
            records.addDefect(DefectCode::DamagedChunk, 1, row.touches,
                              std::string(row.name) + ": " + trouble);
    }
    return tables;
}

} // namespace olab::io::imports
