#include "csv_values.h"

#include <olab/trace/error.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace olab::io::imports {
namespace {

constexpr std::size_t kBlock = 256 << 10, kLongestLine = 256 << 10;
constexpr std::size_t kMostFields = 256;

} // namespace

TextLines::TextLines(Source& source)
    : m_source(source)
    , m_buffer(kBlock) {}

bool TextLines::refill() {
    if (m_ended)
        return false;
    m_at = 0;
    m_end = m_source.read(std::as_writable_bytes(std::span(m_buffer)));
    m_ended = m_end == 0;
    return !m_ended;
}

std::optional<std::string_view> TextLines::next() {
    m_line.clear();
    bool any = false, isWhole = false;
    m_wasTooLong = false;
    while (m_at < m_end || refill()) {
        any = true;
        const char* from = m_buffer.data() + m_at;
        const auto* newline = static_cast<const char*>(std::memchr(from, '\n', m_end - m_at));
        const std::size_t size = newline ? static_cast<std::size_t>(newline - from) : m_end - m_at;
        const std::size_t room = kLongestLine - m_line.size();
        m_line.append(from, std::min(size, room));
        m_wasTooLong = m_wasTooLong || size > room;
        m_at += size + (newline ? 1 : 0);
        isWhole = newline != nullptr;
        if (isWhole)
            break;
    }
    m_wasCutOff = any && !isWhole;
    if (!any)
        return std::nullopt;
    std::string_view line = m_line;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

bool splitFields(std::string_view line, std::vector<std::string>& fields) {
    fields.assign(1, {});
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += '"', ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted && fields.size() < kMostFields)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return !quoted;
}

void CsvColumns::set(const std::vector<std::string>& header) {
    m_at.clear();
    for (std::size_t i = 0; i < header.size(); ++i)
        m_at.try_emplace(header[i], i);
    m_count = header.size();
}

std::string_view CsvColumns::of(const std::vector<std::string>& fields, std::string_view name) const {
    const auto at = m_at.find(name);
    return at != m_at.end() && at->second < fields.size() ? std::string_view(fields[at->second])
                                                          : std::string_view();
}

CsvTable::CsvTable(Source& source, std::string_view mark)
    : m_lines(source) {
    std::optional<std::string_view> line = m_lines.next();
    while (line && line->find(mark) == line->npos)
        line = m_lines.next();
    std::string_view header = line.value_or(std::string_view());
    if (header.starts_with(kCsvByteOrderMark))
        header.remove_prefix(kCsvByteOrderMark.size());
    splitFields(header, m_fields);
    m_columns.set(m_fields);
}

std::string CsvTable::lacking(std::span<const std::string_view> columns) const {
    std::string lacking;
    for (const std::string_view column : columns)
        if (!has(column))
            lacking += (lacking.empty() ? "it lacks the columns " : ", ") + std::string(column);
    return lacking;
}

bool CsvTable::next(const RunControl& control) {
    while (const auto line = m_lines.next()) {
        if (++m_read % 4096 == 0)
            control.throwIfCancelled();
        m_isCut = m_isCut || m_lines.wasCutOff();
        if (line->find_first_not_of(" \t") == line->npos)
            continue;
        const bool isWhole = splitFields(*line, m_fields);
        const char* why =
            m_lines.wasTooLong()                  ? "a line that is longer than any that a trace has"
            : line->find('\0') != line->npos      ? "a line with zero bytes, which may have replaced "
                                                    "other data"
            : !isWhole                            ? "a line that ends inside of quotes"
            : m_fields.size() < m_columns.count() ? "a line that ends too early"
            : m_fields.size() > m_columns.count() ? "a line with more fields than the table has columns"
                                                  : nullptr;
        if (!why)
            return true;
        ++m_broken[why];
    }
    return false;
}

void CsvTable::refuse(const char* why, ClassMask classes) {
    ++m_refused[{why, classes}];
}

void CsvTable::finish(RecordSink& records, ClassMask classes) const {
    for (const auto& [key, count] : m_refused)
        records.add(RefusedRecord{DefectCode::BadRecord, count, key.second, key.first, true});
    for (const auto& [why, count] : m_broken)
        records.add(RefusedRecord{DefectCode::BadRecord, count, classes, why, true});
    if (m_isCut)
        records.addDefect(DefectCode::TruncatedFile, 1, classes,
                          "its last line is truncated: what followed is not known");
}

namespace {

std::vector<std::filesystem::path> filesOfRun(const std::filesystem::path& file,
                                              std::span<const std::string_view> names) {
    const std::string name = file.filename().string();
    for (const std::string_view own : names) {
        if (!name.ends_with(own))
            continue;
        const std::string prefix = name.substr(0, name.size() - own.size());
        if (!prefix.empty() && !prefix.ends_with('_'))
            continue;
        std::vector<std::filesystem::path> files;
        for (const std::string_view each : names) {
            const auto path = file.parent_path() / (prefix + std::string(each));
            std::error_code unknown;
            if (each == own || std::filesystem::is_regular_file(path, unknown))
                files.push_back(path);
        }
        return files;
    }
    return {file};
}

} // namespace

void readRun(Source& source, std::span<const std::string_view> names, RecordSink& records,
             const RunControl& control, const std::function<std::string(Source&)>& read,
             std::string_view hint) {
    std::string files;
    for (const std::filesystem::path& file : filesOfRun(source.path(), names)) {
        const bool isGiven = file == source.path();
        std::string why;
        if (isGiven)
            why = read(source);
        else {
            Source beside(file, control);
            why = read(beside);
        }
        if (isGiven && !why.empty())
            throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + file.string() + ": " + why + ".",
                        std::string(hint));
        if (!why.empty())
            records.addDefect(DefectCode::DamagedChunk, 1, kAllClasses,
                              file.filename().string() + ": " + why);
        else
            files += (files.empty() ? "" : ", ") + file.filename().string();
    }
    records.add(EnvironmentRecord{"import.files", files});
}

namespace {

constexpr int kDigits = 9;        // below the nanosecond; a sum of two fits in 128 bits with ease
constexpr int kMostExponent = 19; // of what a time can be
constexpr std::int64_t kSub = 1'000'000'000;

} // namespace

std::optional<WrittenTime> WrittenTime::of(std::string_view text, int nsExponent) {
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    int exponent = nsExponent;
    if (const std::size_t e = text.find_first_of("eE"); e != text.npos) {
        std::string_view power = text.substr(e + 1);
        power.remove_prefix(power.starts_with('+') ? 1 : 0);
        int written = 0;
        const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), written);
        if (error != std::errc() || end != power.data() + power.size() || written < -1000 || written > 1000)
            return std::nullopt;
        exponent += written;
        text = text.substr(0, e);
    }
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view part = point == text.npos ? std::string_view() : text.substr(point + 1);
    if (whole.empty() && part.empty())
        return std::nullopt;
    Wide value = 0;
    int power = exponent + kDigits + static_cast<int>(whole.size()); // of the digit that comes next, and 1
    for (const std::string_view digits : {whole, part})
        for (const char c : digits) {
            if (c < '0' || c > '9')
                return std::nullopt;
            --power;
            if (c == '0' && value == 0)
                continue;
            if (power > kMostExponent + kDigits)
                return std::nullopt;
            if (power >= 0)
                value = value * 10 + (c - '0'); // digits below are irrelevant
        }
    for (int i = 0; i < power; ++i)
        value *= 10;
    return WrittenTime(isNegative ? -value : value);
}

std::optional<Ns> WrittenTime::rounded() const {
    Wide whole = m_value / kSub, rest = m_value % kSub;
    if (rest < 0)
        --whole, rest += kSub;
    if (2 * rest > kSub || (2 * rest == kSub && whole % 2 != 0))
        ++whole;
    if (whole < std::numeric_limits<Ns>::min() || whole > std::numeric_limits<Ns>::max())
        return std::nullopt;
    return static_cast<Ns>(whole);
}

} // namespace olab::io::imports
