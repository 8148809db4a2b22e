// Nsight Systems' SQLite exports of 2020 to 2026 (nsys export --type sqlite).
//
// Schemas: facts that were measured on exports of nsys 2020, 2022.2, 2023.4, 2024.5, 2025.5, 2026.1 and
// 2026.2; NVIDIA's "Nsight Systems Exporter" documentation: tables are created lazily, so any may be missing.
#include <olab/io/formats.h>

#include "cuda_kinds.h"
#include "nsys_facts.h"
#include "sqlite_database.h"
#include "table_scan.h"
#include "text_lookup.h"

#include <algorithm>
#include <set>

namespace olab::io {
namespace {

using namespace imports;

/// The names in the table of texts.
constexpr ClassMask kNamedClasses = maskOf(ActivityClass::Kernel) | maskOf(ActivityClass::Api) |
                                    maskOf(ActivityClass::Nvtx) | maskOf(ActivityClass::Overhead);

/// Turns rows into records of a sink, and remembers the processes and devices they refer to.
class NsysTaker {
public:
    NsysTaker(imports::SqliteDatabase& database, RecordSink& records)
        : m_records(records)
        , m_kinds(imports::kindsOf(database))
        , m_texts(database, "StringIds", "id", "value") {}

    void take(const imports::ScannedTable& table, imports::ScannedRows& rows) {
        takeBulk(rows);
        for (std::size_t i = 0; i < rows.count; ++i)
            takeRow(rows.rows[i], rows, table.touches);
        if (rows.lacking > 0)
            m_lacking[{table.table.name, table.touches}] += rows.lacking;
        if (rows.tooLong > 0)
            m_records.add(RefusedRecord{DefectCode::BadRecord, rows.tooLong, table.touches,
                                        table.table.name + ": a text that is longer than any trace has",
                                        true});
        if (!rows.damage.empty())
            m_records.addDefect(DefectCode::DamagedChunk, 1, table.touches,
                                table.table.name + ": " + rows.damage);
    }
    void finish(imports::SqliteDatabase& database) {
        for (const auto& [key, count] : m_refused)
            m_records.add(RefusedRecord{key.first, count.first, count.second, key.second, true});
        for (const auto& [table, count] : m_lacking)
            m_records.addDefect(DefectCode::DamagedChunk, count, table.second,
                                table.first + ": rows without a value that every row has");
        m_texts.tell(m_records, kNamedClasses);
        imports::addProcesses(database, m_processes, m_records);
        imports::addDevices(database, m_processes, m_devices, m_records);
        imports::addContexts(database, m_processes, m_numbers, m_deviceOfContext, m_records);
        imports::addStreams(database, m_processes, m_numbers, m_records);
        imports::addThreadNames(
            database, m_threads, [this](std::int64_t name) { return m_texts[name]; }, m_records);
    }

private:
    void takeBulk(imports::ScannedRows& rows) {
        if (rows.reader >= m_shapes.size())
            m_shapes.resize(rows.reader + 1);
        std::vector<std::uint32_t>& known = m_shapes[rows.reader];
        if (rows.startsAnew)
            known.clear();
        for (const imports::RowShape& shape : rows.newShapes)
            known.push_back(sinkShape(shape));
        for (ActivityRow& row : rows.bulk)
            row.shape = known[row.shape];
        m_records.addRows(rows.bulk);
    }
    std::uint32_t sinkShape(const imports::RowShape& shape) {
        ActivityRecord record = placed(shape.record(), shape);
        if (isDeviceClass(record.cls)) {
            imports::translateKinds(record, m_kinds);
            rememberPlace(record.device, record.context, record.process);
        } else
            rememberThread(record.thread);
        record.name = nameOf(shape.name, record.cls);
        return m_records.shape(record);
    }
    ActivityRecord placed(ActivityRecord record, const imports::RowShape& shape) {
        record.process = m_processes.of(shape.owner);
        record.context = m_numbers.contexts.of(shape.context),
        record.stream = m_numbers.streams.of(shape.stream);
        return record;
    }
    void takeRow(const imports::ScannedRow& row, const imports::ScannedRows& rows, ClassMask touches) {
        switch (row.kind) {
        case imports::ScannedRow::Kind::Refused: {
            auto& refused = m_refused[{row.code, row.why}];
            ++refused.first;
            refused.second |= touches;
            return;
        }
        case imports::ScannedRow::Kind::DomainName:
            m_domains[{m_processes.of(row.shape.owner), row.domain}] = textOf(row, rows);
            return;
        case imports::ScannedRow::Kind::EventRecord:
            rememberPlace(row.shape.device, m_numbers.contexts.of(row.shape.context),
                          m_processes.of(row.shape.owner));
            return addCall(row, StreamCallKind::EventRecord);
        case imports::ScannedRow::Kind::Activity:
            return takeActivity(row, rows);
        }
    }
    void takeActivity(const imports::ScannedRow& row, const imports::ScannedRows& rows) {
        ActivityRecord record = placed(row.record(), row.shape);
        if (!isDeviceClass(record.cls))
            rememberThread(record.thread);
        if (record.cls == ActivityClass::Sync) {
            const auto kind = imports::syncKindOf(record.stream != kNoNumber, row.event != kNoNumber);
            record.name = m_records.intern(imports::syncName(kind));
            addCall(row, kind);
        } else
            record.name = rangeName(row, record, rows);
        m_records.add(record);
    }
    TextId nameOf(std::int64_t name, ActivityClass cls) {
        if (name < 0)
            return {};
        if (cls == ActivityClass::Api)
            return m_calls.of(
                name, [&] { return m_records.intern(imports::withoutVersion(m_texts.of(name, cls))); });
        return m_names.of(name, [&] { return m_records.intern(m_texts.of(name, cls)); });
    }
    /// As written by Nsight: "NCCL:ncclAllReduce" of a library's own domain.
    TextId rangeName(const imports::ScannedRow& row, const ActivityRecord& record,
                     const imports::ScannedRows& rows) {
        const auto domain = row.domain == 0 ? m_domains.end() : m_domains.find({record.process, row.domain});
        if (domain != m_domains.end() && !domain->second.empty())
            return m_records.intern(domain->second + ":" + textOf(row, rows));
        if (row.shape.name < 0)
            return m_records.intern(rows.textOf(row));
        return nameOf(row.shape.name, record.cls);
    }
    std::string textOf(const imports::ScannedRow& row, const imports::ScannedRows& rows) {
        return std::string(row.shape.name < 0 ? rows.textOf(row)
                                              : m_texts.of(row.shape.name, ActivityClass::Nvtx));
    }
    void addCall(const imports::ScannedRow& row, StreamCallKind kind) {
        m_records.add(StreamCallRecord{kind, row.correlation, m_numbers.contexts.of(row.shape.context),
                                       m_numbers.streams.of(row.shape.stream), row.event,
                                       static_cast<std::uint64_t>(row.recording),
                                       m_processes.of(row.shape.owner)});
    }
    void rememberThread(std::uint32_t thread) {
        if (thread != m_lastThread)
            m_threads.insert(m_lastThread = thread);
    }
    void rememberPlace(std::uint32_t device, std::uint32_t context, std::uint32_t process) {
        if (device == kNoNumber ||
            (device == m_lastDevice && context == m_lastContext && process == m_lastProcess))
            return;
        m_lastDevice = device, m_lastContext = context, m_lastProcess = process;
        m_devices.emplace(process, device);
        if (context != kNoNumber)
            m_deviceOfContext.try_emplace({process, context}, device);
    }

    RecordSink& m_records;
    std::vector<std::vector<std::uint32_t>> m_shapes; ///< ids in the sink, for each reader
    imports::NsysKinds m_kinds;
    imports::TextLookup m_texts;
    imports::TextIds m_calls, m_names;
    imports::NsysProcesses m_processes;
    imports::NsysNumbers m_numbers;
    imports::NsysPlaces m_devices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_deviceOfContext;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::string> m_domains;
    std::map<std::pair<DefectCode, std::string>, std::pair<std::uint64_t, ClassMask>> m_refused;
    std::map<std::pair<std::string, ClassMask>, std::uint64_t> m_lacking; ///< by table
    std::set<std::uint32_t> m_threads;                                    ///< with activities
    std::uint32_t m_lastThread = kNoNumber;
    std::uint32_t m_lastDevice = kNoNumber, m_lastContext = kNoNumber, m_lastProcess = kNoNumber;
};

/// Non-empty tables of events that are not read: reported by name.
void tellWhatIsLeft(imports::SqliteDatabase& database, std::span<const imports::ScannedTable> read,
                    RecordSink& records) {
    std::string names;
    std::uint64_t count = 0;
    for (const std::string& name : database.names()) {
        const bool isEvents = name.ends_with("_EVENTS") || name.ends_with("_API") ||
                              name.ends_with("_CALLCHAINS") || name.starts_with("OPENACC_") ||
                              name.starts_with("OPENMP_EVENT") || name.starts_with("CUPTI_ACTIVITY_KIND_");
        const bool isRead = std::ranges::any_of(read, [&](const imports::ScannedTable& each) {
            return imports::sameWord(each.table.name, name);
        });
        std::string trouble;
        if (!isEvents || isRead || name == "CUDA_CALLCHAINS")
            continue;
        const auto table = database.table(name, trouble);
        if (!table || !table->hasRowid || !imports::rowRangeOf(database, *table))
            continue;
        names += (names.empty() ? "" : ", ") + name;
        ++count;
    }
    if (count > 0)
        records.addDefect(DefectCode::UnknownKind, count, 0, "tables " + names);
}

bool isNsys(Source& source, const RunControl& control) {
    const imports::SqliteDatabase database(source.file(), source.path(), control);
    // Any table may be missing; one of these is in every export, and in no other file.
    constexpr std::string_view kTelling[] = {"StringIds", "META_DATA_EXPORT", "TARGET_INFO_SYSTEM_ENV"};
    return std::ranges::any_of(kTelling, [&](std::string_view table) { return database.has(table); });
}

RecordingData readNsysFile(Source& source, RecordSink& records, const RunControl& control,
                           const imports::ScanSettings& settings) {
    const std::filesystem::path file = source.file();
    imports::SqliteDatabase database(file, source.path(), control);
    imports::addOrigin(database, records);
    imports::addWarnings(database, records);
    std::vector<std::pair<ClassMask, std::string>> troubles;
    const std::vector<imports::ScannedTable> tables = imports::nsysTables(database, troubles);
    NsysTaker taker(database, records);
    imports::scanTables(
        database, file, source.path(), tables,
        [&](const imports::ScannedTable& table, imports::ScannedRows& rows) { taker.take(table, rows); },
        control, settings);
    taker.finish(database);
    for (const auto& [classes, what] : troubles)
        records.addDefect(DefectCode::DamagedChunk, 1, classes, what);
    if (const std::string damage = database.damage(); !damage.empty())
        records.addDefect(DefectCode::DamagedChunk, 1, kAllClasses, damage);
    tellWhatIsLeft(database, tables, records);
    return {};
}

RecordingData readNsysAsUsual(Source& source, RecordSink& records, const RunControl& control) {
    return readNsysFile(source, records, control, {});
}

} // namespace

RecordingData imports::readNsys(Source& source, RecordSink& records, const RunControl& control,
                                const imports::ScanSettings& settings) {
    return readNsysFile(source, records, control, settings);
}

namespace imports::nsys_sqlite {

Importer row() {
    return {"nsys", "Nsight Systems SQLite export", "*.sqlite", SqliteDatabase::sniff, readNsysAsUsual,
            isNsys};
}

} // namespace imports::nsys_sqlite

} // namespace olab::io
