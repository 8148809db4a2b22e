// A part of a trace, by time.
#pragma once

#include "arguments.h"

#include <olab/recording/recording.h>
#include <olab/trace/trace.h>

#include <filesystem>
#include <limits>
#include <memory>

namespace olab::cli {

/// Counted from the first device work, as on every ruler; half-open.
struct TimeSlice {
    Ns begin = std::numeric_limits<Ns>::min();
    Ns end = std::numeric_limits<Ns>::max();
    bool isEverything() const {
        return begin == std::numeric_limits<Ns>::min() && end == std::numeric_limits<Ns>::max();
    }
    /// Reads --from and --to, or what else the end is called. @throws Error kind Usage
    static TimeSlice from(const Arguments& arguments, const char* end = "--to");
};
/// "350us" -> 350000. Units ns, us, ms, s. @throws Error kind Usage
Ns timeFromText(std::string_view text);
/// The slice in times of the trace.
Interval windowOf(const Trace& trace, const TimeSlice& slice);
/// The activities that touch the slice, whole: cutting them would invent durations that nothing ever had. The
/// window is left out: it belongs to the whole.
Trace slicedTrace(const Trace& trace, const TimeSlice& slice);
/// The same with the calls before it that issued its work, for a file of its own: a host may be well ahead.
Trace slicedWithCalls(const Trace& trace, const TimeSlice& slice);

// A file opened for somebody who waits at a terminal.

/// With its account and its repeating iteration, up to kAccountUpTo operations.
std::shared_ptr<recording::Recording> openJudged(const std::filesystem::path& file,
                                                 const RunControl& control);

} // namespace olab::cli
