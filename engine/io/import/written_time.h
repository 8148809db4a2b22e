// Times as text to whole nanoseconds: never via a double, which is off by hundreds of them. Private to io.
#pragma once

#include <olab/trace/types.h>

#include <optional>
#include <string_view>

namespace olab::io::imports {

/// An exact decimal number, in any unit down to billionths of a nanosecond.
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
