// A part of a trace, by time. Any thread.
#pragma once

#include <olab/trace/trace.h>

namespace olab {

/// The activities that touch `range`, whole: cutting them would invent durations that nothing ever had. The
/// measured windows are left out: they belong to the whole. So are what calls did whose record is not in it.
Trace sliceOf(const Trace& trace, Interval range);

} // namespace olab
