// Databases of nvprof and the Visual Profiler (nvprof -o FILE): CUPTI's records as tables, with CUPTI's own
// numbers, by the wall clock.
#include <olab/io/formats.h>

#include "cuda_kinds.h"
#include "file_numbers.h"
#include "nvprof_rows.h"
#include "sqlite_work.h"
#include "table_scan.h"
#include "text_lookup.h"

#include <olab/trace/value_text.h>

#include <cstring>
#include <map>

namespace olab::io {
namespace {

using namespace imports;

template <typename Take>
void eachRow(imports::SqliteDatabase& database, std::string_view name,
             std::span<const std::string_view> columns, Take take) {
    std::string ignored;
    const auto table = database.table(name, ignored);
    if (!table)
        return;
    imports::SqliteRows rows(database, *table, columns);
    for (int i = 0; i < 100'000 && rows.next(); ++i)
        take(rows.cells());
}

/// Turns rows into records and matches the ends of ranges.
class Taker {
public:
    Taker(imports::SqliteDatabase& database, RecordSink& records)
        : m_records(records)
        , m_texts(database, "StringTable", "_id_", "value") {}

    void take(const imports::ScannedTable& table, const imports::ScannedRows& rows) {
        const bool isDriver = table.table.name == kNvprofDriverTable;
        for (std::size_t i = 0; i < rows.count; ++i)
            takeRow(rows.rows[i], table.touches, isDriver);
        if (rows.tooLong > 0)
            refuse(DefectCode::BadRecord, rows.tooLong, table.touches,
                   table.table.name + ": a text that is longer than any trace has");
        if (!rows.damage.empty())
            m_records.addDefect(DefectCode::DamagedChunk, 1, table.touches,
                                table.table.name + ": " + rows.damage);
    }
    void finish(imports::SqliteDatabase& database) {
        addContexts(database);
        if (!m_begun.empty())
            refuse(DefectCode::OpenRange, m_begun.size(), maskOf(ActivityClass::Nvtx), {});
        for (const auto& [key, refused] : m_refused)
            m_records.add(RefusedRecord{key.first, refused.first, refused.second, key.second, true});
        m_texts.tell(m_records, maskOf(ActivityClass::Kernel) | maskOf(ActivityClass::Nvtx));
        if (m_pid != kNoNumber)
            m_records.add(ProcessRecord{0, m_pid, 0, {}});
        m_records.add(
            ProvenanceRecord{SourceKind::Imported, "NVIDIA nvprof", {}, imports::isoTimeOf(m_first)});
    }

private:
    void takeRow(const imports::ScannedRow& row, ClassMask touches, bool isDriver) {
        if (row.kind == imports::ScannedRow::Kind::Refused)
            return refuse(row.code, 1, touches, row.why);
        if (row.kind == imports::ScannedRow::Kind::EventRecord)
            return addCall(row, StreamCallKind::EventRecord);
        ActivityRecord record = row.record();
        record.context = m_contexts.of(row.shape.context), record.stream = m_streams.of(row.shape.stream);
        if (record.begin > 0 && (m_first == 0 || record.begin < m_first))
            m_first = record.begin;
        switch (record.cls) {
        case ActivityClass::Nvtx:
            return marker(row, record);
        case ActivityClass::Api:
            record.name = m_calls[isDriver].of(row.shape.name, [&] {
                return m_records.intern(imports::callName(isDriver, row.shape.name));
            });
            m_pid = row.shape.owner >= 0 ? imports::numberOr(row.shape.owner) : m_pid;
            break;
        case ActivityClass::Sync: {
            const auto kind = imports::syncKindOf(record.stream != kNoNumber, row.event != kNoNumber);
            record.name = m_records.intern(imports::syncName(kind));
            addCall(row, kind);
            break;
        }
        case ActivityClass::Overhead:
            record.name = m_records.intern(overheadName(row.shape.name));
            break;
        default:
            record.name = textOf(row.shape.name);
        }
        m_records.add(record);
    }
    TextId textOf(std::int64_t number) {
        return number < 0 ? TextId{} : m_names.of(number, [&] { return m_records.intern(m_texts[number]); });
    }
    static std::string_view overheadName(std::int64_t kind) { // CUpti_ActivityOverheadKind
        switch (kind) {
        case 1:
            return "driver compiler";
        case 1 << 16:
            return "CUPTI buffer flush";
        case 2 << 16:
            return "CUPTI instrumentation";
        case 3 << 16:
            return "CUPTI resource";
        default:
            return "overhead";
        }
    }
    void addCall(const imports::ScannedRow& row, StreamCallKind kind) {
        m_records.add(StreamCallRecord{kind, row.correlation, m_contexts.of(row.shape.context),
                                       m_streams.of(row.shape.stream), row.event});
    }
    /// CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS is 1, _START 2, _END 4; only the start has the name.
    void marker(const imports::ScannedRow& row, ActivityRecord record) {
        constexpr std::int64_t kStart = 2, kEnd = 4;
        if ((row.domain & kEnd) != 0) {
            const auto begun = m_begun.find(row.shape.owner);
            if (begun == m_begun.end())
                return refuse(DefectCode::OpenRange, 1, maskOf(ActivityClass::Nvtx), {});
            begun->second.end = record.end;
            m_records.add(begun->second);
            m_begun.erase(begun);
            return;
        }
        record.name = textOf(row.shape.name);
        if ((row.domain & kStart) == 0)
            return m_records.add(record);
        if (!m_begun.emplace(row.shape.owner, record).second)
            refuse(DefectCode::OpenRange, 1, maskOf(ActivityClass::Nvtx), {});
    }
    void addContexts(imports::SqliteDatabase& database) {
        constexpr std::string_view kContext[] = {"contextId", "deviceId", "nullStreamId"},
                                   kStream[] = {"contextId", "streamId", "priority", "flag"};
        eachRow(database, "CUPTI_ACTIVITY_KIND_CONTEXT", kContext, [&](const imports::RowCells& cells) {
            m_records.add(ContextRecord{m_contexts.of(imports::id(cells, 0)), imports::number(cells, 1),
                                        m_streams.of(imports::id(cells, 2))});
        });
        eachRow(database, "CUPTI_ACTIVITY_KIND_STREAM", kStream, [&](const imports::RowCells& cells) {
            m_records.add(StreamRecord{
                m_contexts.of(imports::id(cells, 0)), m_streams.of(imports::id(cells, 1)),
                imports::streamKindOf(cells.number(3)), static_cast<std::int32_t>(cells.number(2))});
        });
        m_streams.tellStreams(m_records);
    }
    void refuse(DefectCode code, std::uint64_t count, ClassMask classes, std::string why) {
        auto& refused = m_refused[{code, std::move(why)}];
        refused.first += count, refused.second |= classes;
    }

    RecordSink& m_records;
    imports::TextLookup m_texts;
    imports::TextIds m_calls[2], m_names;
    std::map<std::int64_t, ActivityRecord> m_begun; ///< ranges, by their id
    std::map<std::pair<DefectCode, std::string>, std::pair<std::uint64_t, ClassMask>> m_refused;
    imports::FileNumbers m_contexts, m_streams;
    Ns m_first = 0;
    std::uint32_t m_pid = kNoNumber;
};

// --- facts

constexpr std::string_view kDeviceColumns[] = {"id",
                                               "name",
                                               "uuid",
                                               "numMultiprocessors",
                                               "numMemcpyEngines",
                                               "maxWarpsPerMultiprocessor",
                                               "numThreadsPerWarp",
                                               "maxBlocksPerMultiprocessor",
                                               "maxRegistersPerMultiprocessor",
                                               "maxSharedMemoryPerMultiprocessor",
                                               "globalMemorySize",
                                               "computeCapabilityMajor",
                                               "computeCapabilityMinor"};

std::uint32_t plain(const imports::RowCells& cells, int column) {
    return imports::numberOr(cells.number(column), 0);
}

void addDevices(imports::SqliteDatabase& database, RecordSink& records) {
    imports::TextLookup texts(database, "StringTable", "_id_", "value");
    eachRow(database, "CUPTI_ACTIVITY_KIND_DEVICE", kDeviceColumns, [&](const imports::RowCells& cells) {
        DeviceRecord d;
        d.device = imports::number(cells, 0);
        d.name = cells.text(1).empty() ? texts[cells.number(1)] : cells.text(1);
        if (const std::string_view uuid = cells.bytes(2);
            uuid.size() == 16 && uuid.find_first_not_of('\0') != uuid.npos) {
            char bytes[16];
            std::memcpy(bytes, uuid.data(), sizeof bytes);
            d.uuid = uuidText(bytes);
        }
        d.smCount = plain(cells, 3), d.copyEngines = plain(cells, 4);
        d.maxThreadsPerSm = plain(cells, 5) * plain(cells, 6);
        d.maxBlocksPerSm = plain(cells, 7), d.registersPerSm = plain(cells, 8);
        d.sharedPerSm = plain(cells, 9);
        d.memoryBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, cells.number(10)));
        d.computeMajor = plain(cells, 11), d.computeMinor = plain(cells, 12);
        if (d.device != kNoNumber)
            records.add(d);
    });
}

bool isNvprof(Source& source, const RunControl& control) {
    return imports::SqliteDatabase(source.file(), source.path(), control).has("StringTable");
}

RecordingData readNvprofFile(Source& source, RecordSink& records, const RunControl& control,
                             const imports::ScanSettings& settings) {
    const std::filesystem::path file = source.file();
    imports::SqliteDatabase database(file, source.path(), control);
    const std::vector<imports::ScannedTable> tables = imports::nvprofTables(database, records);
    Taker taker(database, records);
    imports::scanTables(
        database, file, source.path(), tables,
        [&](const imports::ScannedTable& table, imports::ScannedRows& rows) { taker.take(table, rows); },
        control, settings);
    taker.finish(database);
    addDevices(database, records);
    if (const std::string damage = database.damage(); !damage.empty())
        records.addDefect(DefectCode::DamagedChunk, 1, kAllClasses, damage);
    return {};
}

RecordingData readNvprofAsUsual(Source& source, RecordSink& records, const RunControl& control) {
    return readNvprofFile(source, records, control, {});
}

} // namespace

RecordingData imports::readNvprof(Source& source, RecordSink& records, const RunControl& control,
                                  const imports::ScanSettings& settings) {
    return readNvprofFile(source, records, control, settings);
}

namespace imports::nvprof_sqlite {

Importer row() {
    return {"nvprof",
            "nvprof or Visual Profiler database",
            "*.nvvp *.nvprof *.prof",
            SqliteDatabase::sniff,
            readNvprofAsUsual,
            isNvprof};
}

} // namespace imports::nvprof_sqlite

} // namespace olab::io
