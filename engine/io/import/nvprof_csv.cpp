// What nvprof --print-gpu-trace --csv prints (and with --print-api-trace the calls in between).
#include <olab/io/formats.h>

#include "csv_values.h"
#include "cuda_kinds.h"
#include "file_numbers.h"

#include <algorithm>
#include <map>

namespace olab::io {
namespace {

using namespace imports;

constexpr std::string_view kBanner = "==";

struct Unit {
    std::string_view name;
    int exponent; ///< of nanoseconds, or of 1024 bytes
};
constexpr Unit kTimeUnits[] = {{"s", 9}, {"ms", 6}, {"us", 3}, {"ns", 0}};
constexpr Unit kSizeUnits[] = {{"B", 0}, {"KB", 1}, {"MB", 2}, {"GB", 3}, {"TB", 4}};

std::optional<int> exponentOf(std::span<const Unit> units, std::string_view name) {
    for (const Unit& unit : units)
        if (unit.name == name)
            return unit.exponent;
    return std::nullopt;
}

bool isHeader(std::string_view line) {
    std::string plain;
    for (const char c : line.substr(0, 64))
        if (c != '"')
            plain += c;
    return plain.starts_with("Start,Duration,");
}

/// The suffix of a kernel's name in files without a column for it: "k(int) [223]".
std::uint32_t takeCorrelation(std::string_view& name) {
    const std::size_t open = name.rfind(" [");
    if (!name.ends_with(']') || open == name.npos)
        return 0;
    const auto number = wholeOr<std::uint32_t>(name.substr(open + 2, name.size() - open - 3), 0);
    if (number != 0)
        name = name.substr(0, open);
    return number;
}

class Reader {
public:
    explicit Reader(RecordSink& records)
        : m_records(records) {}

    /// A row with a missing part, which cannot be read.
    void refuseAny(const char* why) {
        auto& refused = m_refused[{DefectCode::BadRecord, why}];
        ++refused.first;
        refused.second = kAllClasses;
    }
    /// It may be the last one, or more may follow.
    void endsInALine() {
        m_records.addDefect(DefectCode::TruncatedFile, 1, kAllClasses,
                            "its last line is truncated: what followed is not known");
    }
    void line(std::string_view text) {
        if (text.find('\0') != text.npos) // part of the file was never written, or was lost
            return refuseAny("a line with zero bytes, which may have replaced other data");
        if (text.starts_with(kCsvByteOrderMark))
            text.remove_prefix(kCsvByteOrderMark.size());
        if (text.starts_with(kBanner) || text.starts_with("= "))
            return banner(text);
        if (text.find_first_not_of(" \t") == text.npos)
            return;
        if (isHeader(text)) {
            imports::splitFields(text, m_fields);
            m_columns.set(m_fields), m_units.clear();
            m_expectsUnits = m_isTable = true;
            return;
        }
        if (!m_isTable)
            return;
        const bool isWhole = imports::splitFields(text, m_fields);
        if (!isWhole)
            return refuseAny("a line that ends inside of quotes");
        if (m_expectsUnits)
            return units();
        row();
    }
    bool foundTable() const { return m_isTable; }
    void finish() {
        for (const auto& [key, refused] : m_refused)
            m_records.add(RefusedRecord{key.first, refused.first, refused.second, key.second, true});
        for (const auto& [number, name] : m_devices)
            m_records.add(DeviceRecord{number, name, {}});
        m_streams.tellStreams(m_records);
        ProvenanceRecord origin{SourceKind::Imported, "NVIDIA nvprof", {}, {}};
        m_records.add(origin);
        if (!m_command.empty() || m_pid != kNoNumber)
            m_records.add(ProcessRecord{0, m_pid, 0, m_command});
    }

private:
    /// "==14403== NVPROF is profiling process 14403, command: ./mm"; "==14403== Warning: 3 records ..."
    void banner(std::string_view text) {
        constexpr std::string_view kCommand = ", command: ", kWarning = "Warning: ";
        if (const std::size_t at = text.find(kCommand); at != text.npos && m_pid == kNoNumber) {
            m_command = text.substr(at + kCommand.size());
            m_pid = wholeOr<std::uint32_t>(text.substr(2, text.find("==", 2) - 2), kNoNumber);
        }
        const std::size_t at = text.find(kWarning);
        if (at == text.npos || text.find("record", at) == text.npos)
            return;
        const std::string_view warning = text.substr(at + kWarning.size());
        const std::string_view count = warning.substr(0, warning.find(' '));
        m_records.addDefect(DefectCode::DroppedRecords, wholeOr<std::uint64_t>(count, 1), kDeviceClasses,
                            std::string(warning));
    }
    void units() {
        m_expectsUnits = false;
        m_start = exponentOf(kTimeUnits, m_columns.of(m_fields, "Start"));
        m_duration = exponentOf(kTimeUnits, m_columns.of(m_fields, "Duration"));
        m_units = m_fields;
        if (!m_start || !m_duration) // already a row: the line with the units is missing
            row();
    }
    void refuse(const char* why, ActivityClass cls, DefectCode code = DefectCode::BadRecord) {
        auto& refused = m_refused[{code, why}];
        ++refused.first;
        refused.second |= code == DefectCode::UnknownKind ? 0 : maskOf(cls);
    }
    void row() {
        std::string_view name = m_columns.of(m_fields, "Name");
        const bool isCut = m_fields.size() < m_columns.count();
        const ActivityClass cls = classOf(name);
        if (isCut) // of unknown kind
            return refuseAny("a line that ends too early");
        if (m_fields.size() > m_columns.count()) // two rows that became one
            return refuseAny("a line with more fields than the table has columns");
        if (name.starts_with("[Unified Memory"))
            return refuse("counters of unified memory, which are no copies", cls, DefectCode::UnknownKind);
        if (const char* lacks = whatLacks(name, cls))
            return refuseAny(lacks);
        if (!m_start || !m_duration)
            return refuse("times without their unit", cls);
        ActivityRecord r;
        r.cls = cls;
        if (!readTimes(r))
            return refuse("times that are no numbers", cls);
        readPlace(r);
        readDetails(r, name);
        m_records.add(r);
    }
    /// Null, or why this row cannot be what it seems: of what is written together a part lacks, here or in
    /// the head of the table.
    const char* whatLacks(std::string_view name, ActivityClass cls) const {
        const auto isPart = [](std::initializer_list<std::string_view> columns, const auto& isWritten) {
            const auto written = std::ranges::count_if(columns, isWritten);
            return written != 0 && written != std::ssize(columns);
        };
        const auto isText = [this](std::string_view column) {
            return !m_columns.of(m_fields, column).empty();
        };
        const auto isSize = [this](std::string_view column) {
            return wholeOr(m_columns.of(m_fields, column), 0u) != 0;
        };
        if (name.empty())
            return "a row without a name";
        if (isPart({"Device", "Context", "Stream"}, isText))
            return "a row without its device, context or stream";
        if (isPart({"Grid X", "Grid Y", "Grid Z", "Block X", "Block Y", "Block Z"}, isSize))
            return "a kernel without a part of its grid";
        return isCopyClass(cls) && !size("Size") ? "a copy whose size is no number" : nullptr;
    }
    ActivityClass classOf(std::string_view name) const {
        if (name.starts_with("[CUDA memcpy"))
            return imports::copyClassOf(name);
        if (name.starts_with("[CUDA memset"))
            return ActivityClass::Memset;
        // With --print-api-trace: a call has no device.
        return m_columns.of(m_fields, "Device").empty() ? ActivityClass::Api : ActivityClass::Kernel;
    }
    bool readTimes(ActivityRecord& r) const {
        const auto start = imports::WrittenTime::of(m_columns.of(m_fields, "Start"), *m_start);
        const auto length = imports::WrittenTime::of(m_columns.of(m_fields, "Duration"), *m_duration);
        if (!start || !length)
            return false;
        const auto begin = start->rounded(), end = (*start + *length).rounded();
        r.begin = begin.value_or(0), r.end = end.value_or(0);
        return begin && end;
    }
    void readPlace(ActivityRecord& r) {
        if (!isDeviceClass(r.cls))
            return;
        const auto id = [this](std::string_view column) {
            return wholeOr(m_columns.of(m_fields, column), FileNumbers::kNone);
        };
        r.context = m_contexts.of(id("Context")), r.stream = m_streams.of(id("Stream"));
        // "GeForce GTX 950 (0)"
        const std::string_view device = m_columns.of(m_fields, "Device");
        const std::size_t open = device.rfind(" (");
        if (!device.ends_with(')') || open == device.npos)
            return;
        r.device = wholeOr(device.substr(open + 2, device.size() - open - 3), kNoNumber);
        if (r.device != kNoNumber && m_devices.size() < 256)
            m_devices.try_emplace(r.device, device.substr(0, open));
    }
    void readDetails(ActivityRecord& r, std::string_view name) {
        r.correlation = wholeOr(m_columns.of(m_fields, "Correlation_ID"), 0u);
        if (r.cls == ActivityClass::Kernel || r.cls == ActivityClass::Api) {
            const std::uint32_t atEnd = takeCorrelation(name);
            r.correlation = r.correlation == 0 ? atEnd : r.correlation;
            r.name = m_records.intern(name);
        }
        if (r.cls == ActivityClass::Kernel)
            return readGeometry(r);
        if (!isDeviceClass(r.cls))
            return;
        r.bytes = size("Size").value_or(0);
        r.source = imports::memoryKindOf(m_columns.of(m_fields, "SrcMemType"));
        r.target = imports::memoryKindOf(m_columns.of(m_fields, "DstMemType"));
    }
    void readGeometry(ActivityRecord& r) const {
        r.flags = kFlagAsync;
        if (m_columns.of(m_fields, "Grid X").empty())
            return;
        constexpr std::string_view kGrid[] = {"Grid X", "Grid Y", "Grid Z"},
                                   kBlock[] = {"Block X", "Block Y", "Block Z"};
        KernelGeometry& g = r.geometry.emplace();
        for (std::size_t i = 0; i < 3; ++i) {
            g.grid[i] = wholeOr(m_columns.of(m_fields, kGrid[i]), 1u);
            g.block[i] = wholeOr(m_columns.of(m_fields, kBlock[i]), 1u);
        }
        g.registersPerThread = wholeOr(m_columns.of(m_fields, "Registers Per Thread"), 0u);
        g.staticShared = imports::numberOr(size("Static SMem").value_or(0), 0);
        g.dynamicShared = imports::numberOr(size("Dynamic SMem").value_or(0), 0);
    }
    /// Bytes of a size in its column's unit: "3.515625" of MB are 3686400.
    std::optional<std::int64_t> size(std::string_view column) const {
        const auto power = exponentOf(kSizeUnits, m_columns.of(m_units, column));
        if (!power)
            return std::nullopt;
        constexpr int kDecimals = 6; // as many as nvprof writes
        const auto millionths = imports::WrittenTime::of(m_columns.of(m_fields, column), kDecimals);
        const auto number = millionths ? millionths->rounded() : std::nullopt;
        if (!number || *number < 0)
            return std::nullopt;
        __extension__ using Wide = __int128;
        const Wide bytes = ((Wide{*number} << 10 * *power) + 500'000) / 1'000'000;
        return bytes <= std::numeric_limits<std::int64_t>::max()
                   ? std::optional(static_cast<std::int64_t>(bytes))
                   : std::nullopt;
    }

    RecordSink& m_records;
    CsvColumns m_columns;
    std::vector<std::string> m_fields, m_units;
    bool m_isTable = false, m_expectsUnits = false;
    std::optional<int> m_start, m_duration;
    FileNumbers m_contexts, m_streams;
    std::map<std::uint32_t, std::string> m_devices;
    std::map<std::pair<DefectCode, std::string>, std::pair<std::uint64_t, ClassMask>> m_refused;
    std::uint32_t m_pid = kNoNumber;
    std::string m_command;
};

bool sniffNvprofCsv(std::span<const std::byte> head) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (text.starts_with(kCsvByteOrderMark))
        text.remove_prefix(kCsvByteOrderMark.size());
    if (text.starts_with(kBanner) && text.substr(0, 256).find("NVPROF is profiling") != text.npos)
        return true;
    for (std::size_t at = 0; at < text.size();) {
        if (isHeader(text.substr(at)))
            return true;
        const std::size_t end = text.find('\n', at);
        const bool mayGoOn = text.substr(at).starts_with(kBanner) || text.substr(at).starts_with("= ") ||
                             end == at || text[at] == '\r';
        if (end == text.npos || !mayGoOn)
            return false;
        at = end + 1;
    }
    return false;
}

RecordingData readNvprofCsv(Source& source, RecordSink& records, const RunControl& control) {
    imports::TextLines lines(source);
    Reader reader(records);
    std::size_t count = 0;
    while (const auto line = lines.next()) {
        if (++count % 4096 == 0)
            control.throwIfCancelled();
        if (lines.wasTooLong())
            reader.refuseAny("a line that is longer than any that a trace has");
        else
            reader.line(*line);
        if (lines.wasCutOff())
            reader.endsInALine();
    }
    if (!reader.foundTable())
        throw Error(ErrorKind::Usage, "cannot-read",
                    "Cannot read " + source.path().string() +
                        ": it was written by nvprof, but it has no table of "
                        "what ran when.",
                    "Run nvprof --print-gpu-trace --csv --log-file FILE PROGRAM, or nvprof -o FILE PROGRAM.");
    reader.finish();
    return {};
}

} // namespace

namespace imports::nvprof_csv {

Importer row() {
    return {"nvprof-csv", "nvprof GPU trace as text", "*.csv", sniffNvprofCsv, readNvprofCsv};
}

} // namespace imports::nvprof_csv

} // namespace olab::io
