// A part of a trace, by time. Any thread.
#pragma once

#include <olab/trace/trace.h>

namespace olab {

/// The complete activities that touch `range`: cutting them would invent durations. The measured windows are
/// left out, because they belong to the whole trace, as are stream calls whose API call is not in it.
Trace sliceOf(const Trace& trace, Interval range);
/// With the API calls before it that begin from `since` on: those of work that was issued well ahead.
Trace sliceOf(const Trace& trace, Interval range, Ns since);
/// Whether an activity is in the slice.
bool touches(Interval activity, Interval range);

} // namespace olab
