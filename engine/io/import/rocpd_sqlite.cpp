// rocpd databases of ROCm's profilers (rocprofv3, its default since ROCm 7; rocprof-sys): kernels, copies,
// calls of HIP and HSA, markers.
#include <olab/io/formats.h>

#include "cuda_kinds.h"
#include "file_numbers.h"
#include "rocpd_facts.h"
#include "rocpd_rows.h"

#include <deque>
#include <map>
#include <set>
#include <string>

namespace olab::io {
namespace {

using namespace imports;

class RocpdTaker {
public:
    RocpdTaker(SqliteDatabase& database, const std::vector<std::string>& sets, RecordSink& records)
        : m_records(records) {
        for (const std::string& end : sets)
            m_sets.emplace_back(database, end, records);
    }

    void take(const ScannedTable& table, RocpdKind kind, std::size_t set, const ScannedRows& rows) {
        for (std::size_t i = 0; i < rows.count; ++i)
            if (const char* why = takeRow(rows.rows[i], kind, set))
                refuse(rows.rows[i].code, table.touches, why);
        if (rows.tooLong > 0)
            m_refused[{DefectCode::BadRecord, table.touches, "a text that is longer than any trace has"}] +=
                rows.tooLong;
        if (!rows.damage.empty())
            m_records.addDefect(DefectCode::DamagedChunk, 1, table.touches,
                                table.table.name + ": " + rows.damage);
    }
    void finish() {
        for (const auto& [key, count] : m_refused)
            m_records.add(RefusedRecord{std::get<0>(key), count, std::get<1>(key), std::get<2>(key), true});
        for (const auto& [key, process] : m_processes) {
            const RocpdFacts& facts = m_sets[key.first].facts;
            m_records.add(
                ProcessRecord{process, facts.pid(key.second), 0, std::string(facts.program(key.second))});
        }
        addDevices();
        m_streams.tellStreams(m_records);
        for (Set& set : m_sets)
            set.facts.texts().tell(m_records,
                                   kCopyClasses | maskOf(ActivityClass::Api) | maskOf(ActivityClass::Nvtx));
        m_records.add(ProvenanceRecord{SourceKind::Imported, "AMD ROCm profiler (rocpd)", {}, {}});
    }

private:
    struct Set {
        Set(SqliteDatabase& database, const std::string& end, RecordSink& records)
            : facts(database, end, records) {}
        RocpdFacts facts;
        TextIds names, kernels;
        std::map<std::int64_t, ActivityClass> copies; ///< by the number of their text
    };

    /// @returns why it is refused; null: it was kept
    const char* takeRow(const ScannedRow& row, RocpdKind kind, std::size_t number) {
        if (row.kind == ScannedRow::Kind::Refused)
            return row.why;
        Set& set = m_sets[number];
        const RocpdEvent* event = set.facts.event(row.domain);
        ActivityRecord record = row.record();
        std::int64_t owner = row.shape.owner;
        if (kind == RocpdKind::Sample) {
            const auto* track = set.facts.track(row.event);
            if (!track)
                return "of a track that the file does not describe";
            owner = track->first, record.thread = track->second;
        }
        record.process = processOf(number, owner);
        const char* why = nullptr;
        if (kind == RocpdKind::Kernel)
            why = makeKernel(set, row, record);
        else if (kind == RocpdKind::Copy)
            why = makeCopy(set, row, record);
        else
            why = makeRange(set, row, event, record);
        if (why)
            return why;
        if (isDeviceClass(record.cls)) {
            record.thread = kNoNumber;
            placeOnStream(set, row, record);
        } else
            record.thread = set.facts.thread(record.thread);
        const bool isLinked = event && record.cls != ActivityClass::Nvtx;
        record.correlation = isLinked ? event->correlation : 0;
        m_records.add(record);
        return nullptr;
    }

    const char* makeKernel(Set& set, const ScannedRow& row, ActivityRecord& record) {
        const RocpdAgent* agent = set.facts.agent(row.shape.device);
        if (const char* why = whyNoGpu(agent))
            return why;
        record.device = agent->record.device;
        record.channel = numberOr(row.shape.context); // a hardware queue
        record.channelType = record.channel == kNoNumber ? ChannelType::Unknown : ChannelType::Compute;
        const RocpdKernel* kernel = set.facts.kernel(row.shape.name);
        if (!kernel) {
            m_nameless.insert(row.shape.name);
            return nullptr;
        }
        record.name = set.kernels.of(row.shape.name, [&] { return m_records.intern(kernel->name); });
        if (record.geometry)
            record.geometry->registersPerThread = kernel->registers;
        return nullptr;
    }

    /// On the GPU that it writes to, where only that is one, else on the one it reads from.
    const char* makeCopy(Set& set, const ScannedRow& row, ActivityRecord& record) {
        const RocpdAgent *source = set.facts.agent(row.shape.device), *target = set.facts.agent(row.event);
        if (!source || !target)
            return "of an agent that the file does not describe";
        if (!source->isGpu && !target->isGpu)
            return "copies between processors, which no GPU makes";
        const RocpdAgent* on = source->isGpu ? source : target;
        if (const char* why = whyNoGpu(on))
            return why;
        record.device = on->record.device;
        const auto [at, isNew] = set.copies.try_emplace(row.shape.name, ActivityClass::MemcpyOther);
        if (isNew) // "MEMORY_COPY_HOST_TO_DEVICE"
            at->second = copyClassOf(set.facts.texts().of(row.shape.name, ActivityClass::MemcpyOther));
        record.cls = at->second;
        if (record.cls == ActivityClass::MemcpyD2D && source != target && source->isGpu && target->isGpu)
            record.cls = ActivityClass::MemcpyP2P;
        record.name = textOf(set, row.shape.name, record.cls);
        return nullptr;
    }

    const char* makeRange(Set& set, const ScannedRow& row, const RocpdEvent* event, ActivityRecord& record) {
        if (!event || event->category == RocpdCategory::Unknown)
            return "no event says what they are";
        const bool isCall = event->category == RocpdCategory::Call;
        record.cls = isCall ? ActivityClass::Api : ActivityClass::Nvtx;
        const std::string* message = isCall ? nullptr : set.facts.message(event->id);
        record.name = message ? m_records.intern(*message) : textOf(set, row.shape.name, record.cls);
        return nullptr;
    }

    static const char* whyNoGpu(const RocpdAgent* agent) {
        if (!agent)
            return "of an agent that the file does not describe";
        if (!agent->isGpu)
            return "of an agent that is no GPU";
        return agent->record.device == kNoNumber ? "of a GPU whose type_index the file does not tell"
                                                 : nullptr;
    }
    TextId textOf(Set& set, std::int64_t number, ActivityClass cls) {
        if (number < 0)
            return {};
        return set.names.of(number, [&] { return m_records.intern(set.facts.texts().of(number, cls)); });
    }
    void placeOnStream(Set& set, const ScannedRow& row, ActivityRecord& record) {
        record.context = kNoNumber;
        record.stream = m_streams.of(row.shape.stream);
        const std::uint32_t agent = row.shape.device;
        if (m_used.emplace(record.process, record.device).second)
            m_devices.push_back({set.facts.agent(agent)->isGpu ? agent : row.event, record.process, &set});
        if (row.shape.stream >= 0 && row.shape.stream == set.facts.nullStream() &&
            m_nullStreams.insert(record.process).second)
            m_records.add(StreamRecord{kNoNumber, record.stream, StreamKind::Null, 0, record.process});
    }
    void addDevices() {
        for (const UsedDevice& used : m_devices) {
            DeviceRecord record = used.set->facts.agent(used.agent)->record;
            record.process = used.process;
            m_records.add(record);
        }
        if (!m_nameless.empty())
            m_records.addDefect(DefectCode::BadRecord, m_nameless.size(), maskOf(ActivityClass::Kernel),
                                "kernels that the file does not name");
    }
    std::uint32_t processOf(std::size_t set, std::int64_t owner) {
        return m_processes.try_emplace({set, owner}, static_cast<std::uint32_t>(m_processes.size()))
            .first->second;
    }
    void refuse(DefectCode code, ClassMask classes, const char* why) { ++m_refused[{code, classes, why}]; }

    struct UsedDevice {
        std::uint32_t agent, process;
        const Set* set;
    };
    RecordSink& m_records;
    std::deque<Set> m_sets;
    std::map<std::pair<std::size_t, std::int64_t>, std::uint32_t> m_processes; ///< by set and their id in it
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_used;                  ///< process, device
    std::vector<UsedDevice> m_devices;
    std::set<std::uint32_t> m_nullStreams; ///< processes whose null stream was told
    std::set<std::int64_t> m_nameless;     ///< kernels
    std::map<std::tuple<DefectCode, ClassMask, std::string>, std::uint64_t> m_refused;
    FileNumbers m_streams;
};

/// Tables with rows that are not read.
void tellWhatIsLeft(SqliteDatabase& database, const std::vector<std::string>& sets, RecordSink& records) {
    std::string left;
    std::uint64_t count = 0;
    for (const char* name : {"rocpd_memory_allocate", "rocpd_pmc_event"})
        for (const std::string& end : sets) {
            std::string trouble;
            const auto table = database.table(name + end, trouble);
            if (!table || !rowRangeOf(database, *table))
                continue;
            left += (left.empty() ? "" : ", ") + table->name;
            ++count;
        }
    if (count > 0)
        records.addDefect(DefectCode::UnknownKind, count, 0, "tables " + left);
}

bool isRocpd(Source& source, const RunControl& control) {
    return !rocpdSets(SqliteDatabase(source.file(), source.path(), control)).empty();
}

RecordingData readRocpdFile(Source& source, RecordSink& records, const RunControl& control,
                            const ScanSettings& settings) {
    const std::filesystem::path file = source.file();
    SqliteDatabase database(file, source.path(), control);
    const std::vector<std::string> sets = rocpdSets(database);
    const RocpdTables all = rocpdTables(database, sets, records);
    RocpdTaker taker(database, sets, records);
    scanTables(
        database, file, source.path(), all.tables,
        [&](const ScannedTable& table, ScannedRows& rows) {
            const auto at = static_cast<std::size_t>(&table - all.tables.data());
            taker.take(table, all.kinds[at], all.recording[at], rows);
        },
        control, settings);
    taker.finish();
    if (const std::string damage = database.damage(); !damage.empty())
        records.addDefect(DefectCode::DamagedChunk, 1, kAllClasses, damage);
    tellWhatIsLeft(database, sets, records);
    return {};
}

RecordingData readRocpdAsUsual(Source& source, RecordSink& records, const RunControl& control) {
    return readRocpdFile(source, records, control, {});
}

} // namespace

RecordingData imports::readRocpd(Source& source, RecordSink& records, const RunControl& control,
                                 const ScanSettings& settings) {
    return readRocpdFile(source, records, control, settings);
}

namespace imports::rocpd_sqlite {

Importer row() {
    return {"rocpd",          "rocprofv3 or rocprof-sys database (rocpd)",
            "*.db",           SqliteDatabase::sniff,
            readRocpdAsUsual, isRocpd};
}

} // namespace imports::rocpd_sqlite

} // namespace olab::io
