#include "time_slice.h"

#include "text_report.h"

#include <olab/trace/error.h>
#include <olab/trace/trace.h>

#include <charconv>
#include <cmath>
#include <unordered_set>

namespace olab::cli {
namespace {

[[noreturn]] void badTime(std::string_view text) {
    throw Error(ErrorKind::Usage, "bad-time", "'" + std::string(text) + "' is not a time.",
                "Write a number and ns, us, ms or s, such as 350us.");
}

Ns shifted(Ns origin, Ns offset) {
    Ns sum = 0;
    if (__builtin_add_overflow(origin, offset, &sum))
        return offset < 0 ? std::numeric_limits<Ns>::min() : std::numeric_limits<Ns>::max();
    return sum;
}

/// When the first call began that issued work of the range.
Ns issuedSince(const Trace& trace, Interval range) {
    std::unordered_set<std::uint32_t> work;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (isDeviceClass(trace.cls(i)) && touches(trace.time(i), range))
            work.insert(trace.correlation(i));
    work.erase(0);
    Ns since = range.begin;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Api && work.contains(trace.correlation(i)))
            since = std::min(since, trace.begin(i));
    return since;
}

} // namespace

Ns timeFromText(std::string_view text) {
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    constexpr double kLongest = 9e18; // below the largest Ns
    for (const auto& [name, factor] : kUnits)
        if (error == std::errc() && unit == name && std::abs(number * factor) < kLongest)
            return static_cast<Ns>(std::llround(number * factor));
    badTime(text);
}

TimeSlice TimeSlice::from(const Arguments& arguments, const char* end) {
    TimeSlice slice;
    if (arguments.has("--from"))
        slice.begin = timeFromText(arguments.value("--from"));
    if (arguments.has(end))
        slice.end = timeFromText(arguments.value(end));
    if (slice.begin >= slice.end)
        throw Error(ErrorKind::Usage, "bad-time", std::string("--from must lie before ") + end + ".",
                    "Exchange the two times.");
    return slice;
}

Interval windowOf(const Trace& trace, const TimeSlice& slice) {
    const Interval device = trace.deviceSpan();
    const Ns origin = device.length() == 0 ? trace.span().begin : device.begin;
    return {shifted(origin, slice.begin), shifted(origin, slice.end)};
}

Trace slicedTrace(const Trace& trace, const TimeSlice& slice) {
    return sliceOf(trace, windowOf(trace, slice));
}

Trace slicedWithCalls(const Trace& trace, const TimeSlice& slice) {
    const Interval range = windowOf(trace, slice);
    return sliceOf(trace, range, issuedSince(trace, range));
}

std::shared_ptr<recording::Recording> openJudged(const std::filesystem::path& file,
                                                 const RunControl& control) {
    auto recording =
        recording::makeRecording(io::readRecording(file, control), file.filename().string(), false, control);
    recording->file = file;
    if (recording->facts->deviceWork().size() <= kAccountUpTo)
        recording::addAccount(*recording, control);
    return recording;
}

} // namespace olab::cli
