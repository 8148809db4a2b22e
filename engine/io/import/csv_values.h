// What a CSV file holds: lines, fields, times. Private to io.
#pragma once

#include <olab/io/source.h>
#include <olab/trace/types.h>

#include <optional>
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
