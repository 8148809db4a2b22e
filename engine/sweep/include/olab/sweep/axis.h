// An axis of a sweep: one option, or several that change together, and the values that they take. Read from
// the text of `--vary`: "streams=1,2,3,4,6,8", "h2d.bytes=1MiB..64MiB*2", "kernel.us=100..400+100",
// "h2d.bytes+d2h.bytes=1MiB,4MiB". Values, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sweep {

inline constexpr std::size_t kMostAxes = 2;
inline constexpr std::size_t kMostValues = 1000; ///< of one axis

/// What another value of the axis does to the work of a run; decides what can be compared along it.
enum class AxisKind : std::uint8_t {
    Way,  ///< the same passes done in another way: the time of a pass is compared
    Size, ///< more bytes in each pass: the time of a byte is compared
    Work  ///< other work: no value is better than another
};

struct Axis {
    std::vector<std::string> keys; ///< all take the same value
    std::vector<std::string>
        values; ///< as the option table writes them, each once; numbers ascend, words stay as given
    std::vector<std::int64_t> numbers; ///< the same as numbers (bytes for sizes); empty: they are words
    AxisKind kind = AxisKind::Way;

    std::string name() const; ///< "streams", "h2d.bytes+d2h.bytes"
    std::string text() const; ///< what axisFrom() makes the same axis of
    /// "4" -> "streams=4"
    std::string assignment(std::size_t value) const { return name() + "=" + values[value]; }
    bool varies(std::string_view key) const;
    friend bool operator==(const Axis&, const Axis&) = default;
};

/// @throws Error kind Usage: bad-key, bad-value (as the option table), bad-axis
Axis axisFrom(std::string_view text);

} // namespace olab::sweep
