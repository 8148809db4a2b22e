#include "rocpd_rows.h"

#include "sqlite_work.h"

#include <set>

namespace olab::io::imports {
namespace {

/// The first columns of all that has a begin and an end.
#define OLAB_ROCPD_COLUMNS "start", "end", "pid", "tid", "event_id"
constexpr int kFirst = 5;

bool readSpan(const RowCells& cells, ScannedRow& row) {
    if (!readTimes(cells, row))
        return false;
    cells.needs(2, 4);
    row.shape.owner = id(cells, 2);
    row.shape.thread = number(cells, 3);
    row.domain = id(cells, 4);
    return true;
}

constexpr std::string_view kKernelColumns[] = {OLAB_ROCPD_COLUMNS, "agent_id",         "queue_id",
                                               "stream_id",        "kernel_id",        "group_segment_size",
                                               "grid_size_x",      "grid_size_y",      "grid_size_z",
                                               "workgroup_size_x", "workgroup_size_y", "workgroup_size_z"};

/// HSA counts a grid in work items, CUDA in blocks of them.
KernelGeometry geometryOf(const RowCells& cells) {
    KernelGeometry g;
    g.staticShared = number(cells, kFirst + 4, 0);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t items = number(cells, kFirst + 5 + static_cast<int>(i), 0);
        g.block[i] = number(cells, kFirst + 8 + static_cast<int>(i), 0);
        g.grid[i] = g.block[i] > 0 ? items / g.block[i] + (items % g.block[i] > 0 ? 1 : 0) : 0;
    }
    return g;
}

bool makeKernel(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readSpan(cells, row))
        return true;
    cells.needs(kFirst, kFirst + 2, kFirst + 3);
    row.shape.device = number(cells, kFirst);
    row.shape.context = id(cells, kFirst + 1);
    row.shape.stream = id(cells, kFirst + 2);
    row.shape.name = id(cells, kFirst + 3);
    row.shape.flags = kFlagAsync;
    row.shape.setGeometry(geometryOf(cells));
    return true;
}

constexpr std::string_view kCopyColumns[] = {OLAB_ROCPD_COLUMNS, "src_agent_id", "dst_agent_id",
                                             "stream_id",        "name_id",      "size"};

bool makeCopy(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readSpan(cells, row))
        return true;
    cells.needs(kFirst, kFirst + 1, kFirst + 3, kFirst + 4);
    row.shape.device = number(cells, kFirst);
    row.event = number(cells, kFirst + 1);
    row.shape.stream = id(cells, kFirst + 2);
    row.shape.name = id(cells, kFirst + 3);
    row.shape.bytes = cells.number(kFirst + 4); // a negative one is refused by the sink
    return true;
}

constexpr std::string_view kRegionColumns[] = {OLAB_ROCPD_COLUMNS, "name_id"};

bool makeRegion(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    if (!readSpan(cells, row))
        return true;
    cells.needs(kFirst);
    row.shape.name = id(cells, kFirst);
    return true;
}

constexpr std::string_view kSampleColumns[] = {"timestamp", "event_id", "track_id"};

bool makeSample(const RowCells& cells, ScannedRow& row, ScannedRows&) {
    const auto at = cells.integer(0);
    if (!at) {
        row.refuse(kNoTime);
        return true;
    }
    cells.needs(1, 2);
    row.begin = row.end = *at;
    row.domain = id(cells, 1);
    row.event = number(cells, 2);
    return true;
}

struct TableRow {
    std::string_view name;
    std::span<const std::string_view> columns;
    bool (*make)(const RowCells&, ScannedRow&, ScannedRows&);
    RocpdKind kind;
    ActivityClass cls;
    ClassMask touches;
};

constexpr TableRow kTables[] = {
    {"rocpd_kernel_dispatch", kKernelColumns, makeKernel, RocpdKind::Kernel, ActivityClass::Kernel,
     maskOf(ActivityClass::Kernel)},
    {"rocpd_memory_copy", kCopyColumns, makeCopy, RocpdKind::Copy, ActivityClass::MemcpyOther, kCopyClasses},
    {"rocpd_region", kRegionColumns, makeRegion, RocpdKind::Region, ActivityClass::Api, kRocpdHost},
    {"rocpd_sample", kSampleColumns, makeSample, RocpdKind::Sample, ActivityClass::Nvtx,
     maskOf(ActivityClass::Nvtx)},
};

} // namespace

std::vector<std::string> rocpdSets(const SqliteDatabase& database) {
    std::set<std::string> ends;
    for (const std::string& name : database.names())
        for (const TableRow& row : kTables)
            if (name.starts_with(row.name) &&
                (name.size() == row.name.size() || name[row.name.size()] == '_'))
                ends.insert(name.substr(row.name.size()));
    if (ends.size() > 1)
        ends.erase(""); // views over the others
    return {ends.begin(), ends.end()};
}

RocpdTables rocpdTables(SqliteDatabase& database, const std::vector<std::string>& sets, RecordSink& records) {
    RocpdTables all;
    for (const TableRow& row : kTables)
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const std::string name = std::string(row.name) + sets[i];
            std::string trouble;
            if (auto table = database.table(name, trouble)) {
                trouble = table->expect(row.columns, row.columns);
                all.tables.push_back({std::move(*table), row.columns, row.make, row.cls, row.touches});
                all.kinds.push_back(row.kind);
                all.recording.push_back(i);
            } else if (trouble.empty())
                trouble = "the file does not have it";
            if (!trouble.empty())
                records.addDefect(DefectCode::DamagedChunk, 1, row.touches, name + ": " + trouble);
        }
    return all;
}

} // namespace olab::io::imports
