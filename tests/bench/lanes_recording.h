// A recording of 16 lanes for timing the window: two devices with three engines and five streams each.
#pragma once

#include <olab/trace/trace_builder.h>

#include <cstddef>

namespace olab::bench {

/// Per device two streams of kernels that sometimes run at the same time, one of copies in, one of copies out
/// and one that mixes all with memsets; pauses between batches. By time.
void giveSixteenLanes(RecordSink& sink, std::size_t count);

} // namespace olab::bench
