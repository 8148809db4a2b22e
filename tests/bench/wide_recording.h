// A recording as wide as they come: many devices with many streams each, and the host calls that issued what
// they did.
#pragma once

#include <olab/trace/trace_builder.h>

#include <cstddef>

namespace olab::bench {

struct Width {
    std::uint32_t devices = 8, streams = 1250; ///< of each device
};
/// Gives `sink` `count` activities: for each device op the API call that issued it, by time. Copies in,
/// copies out, memsets and kernels take turns on every stream.
void giveWideRecording(RecordSink& sink, std::size_t count, Width width = {});

} // namespace olab::bench
