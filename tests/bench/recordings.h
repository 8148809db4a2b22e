// Recordings of any length for timing: eight streams of copies, memsets and kernels that overlap, with names
// of the length real kernels have.
#pragma once

#include <olab/trace/trace_builder.h>

#include <cstddef>

namespace olab::bench {

/// Gives `sink` `count` activities, by time or in random order.
void giveRecording(RecordSink& sink, std::size_t count, bool shuffled);

} // namespace olab::bench
