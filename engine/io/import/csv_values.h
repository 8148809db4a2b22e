// What a CSV file holds: lines, fields, tables, times. Private to io.
#pragma once

#include <olab/io/source.h>
#include <olab/trace/records.h>

#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::io::imports {

/// Lines of a text, and fields of a line: quoted fields may contain commas and doubled quotes, but no line
/// ends.
class TextLines {
public:
    explicit TextLines(Source& source);
    /// Without line end, valid until the next call; for a line over the maximum length only its beginning.
    std::optional<std::string_view> next();
    /// The line from next() exceeds the maximum length: its end was not read.
    bool wasTooLong() const { return m_wasTooLong; }
    /// ... because the text ends in it.
    bool wasCutOff() const { return m_wasCutOff; }

private:
    bool refill();
    Source& m_source;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    bool m_ended = false, m_wasTooLong = false, m_wasCutOff = false;
    std::string m_line;
};

/// Replaces `fields`. False: the last one has an unterminated quote.
bool splitFields(std::string_view line, std::vector<std::string>& fields);

inline constexpr std::string_view kCsvByteOrderMark = "\xef\xbb\xbf";

/// A whole number, and nothing else.
template <typename Number>
Number wholeOr(std::string_view text, Number otherwise) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

/// The columns of a table by name.
class CsvColumns {
public:
    void set(const std::vector<std::string>& header);
    std::size_t count() const { return m_count; }
    bool has(std::string_view name) const { return m_at.contains(name); }
    /// Empty: there is no such column, or nothing in it.
    std::string_view of(const std::vector<std::string>& fields, std::string_view name) const;

private:
    std::map<std::string, std::size_t, std::less<>> m_at;
    std::size_t m_count = 0;
};

/// A table whose first line has the names of its columns, row by row. A row that is no row of it (cut off,
/// too long, with too many fields) is refused.
class CsvTable {
public:
    /// The first line with `mark` has the names.
    explicit CsvTable(Source& source, std::string_view mark = {});
    bool has(std::string_view column) const { return m_columns.has(column); }
    /// Those of `columns` that it lacks, in words; empty: none.
    std::string lacking(std::span<const std::string_view> columns) const;
    /// False at the end. @throws Error when cancelled
    bool next(const RunControl& control);
    /// Of the current row.
    std::string_view text(std::string_view column) const { return m_columns.of(m_fields, column); }
    std::uint32_t number(std::string_view column, std::uint32_t otherwise = kNoNumber) const {
        return wholeOr(text(column), otherwise);
    }
    /// The current row is refused: it is of one of these classes.
    void refuse(const char* why, ClassMask classes);
    /// Passes on what was refused.
    void finish(RecordSink& records, ClassMask classes) const;

private:
    TextLines m_lines;
    CsvColumns m_columns;
    std::vector<std::string> m_fields;
    std::map<std::pair<std::string, ClassMask>, std::uint64_t> m_refused;
    std::map<std::string, std::uint64_t> m_broken; ///< lines that are no rows, by their reason
    std::uint64_t m_read = 0;
    bool m_isCut = false;
};

/// Reads the files of one run: the source, and those beside it with PREFIX and one of `names`, such as "12_"
/// and "kernel_trace.csv", in the order of the names; the source alone if its name ends with none of them.
/// `import.files` of the environment says which.
/// @param read returns why a file is not one of its tables; empty: it was read
/// @throws Error "cannot-read" with `hint` if the source itself is not one
void readRun(Source& source, std::span<const std::string_view> names, RecordSink& records,
             const RunControl& control, const std::function<std::string(Source&)>& read,
             std::string_view hint);

/// A time as text to whole nanoseconds: never via a double, which is off by hundreds of them. An exact
/// decimal number, in any unit down to billionths of a nanosecond.
class WrittenTime {
public:
    /// "510.420849" of a unit of 10^`nsExponent` nanoseconds. Empty: not a number, or not a possible time.
    static std::optional<WrittenTime> of(std::string_view text, int nsExponent);
    WrittenTime operator+(const WrittenTime& other) const { return WrittenTime(m_value + other.m_value); }
    /// The nearest nanosecond, rounding half to even. Empty: out of range.
    std::optional<Ns> rounded() const;

private:
    __extension__ using Wide = __int128;
    explicit WrittenTime(Wide value)
        : m_value(value) {}
    Wide m_value; ///< in 10^-kDigits nanoseconds
};

} // namespace olab::io::imports
